model M
  parameter Integer n = 3;
  Real x[n];
  Real y[n, 2];
equation
  for i in 1:n loop
    x[i] = i*time;
    for j in 1:2 loop
      y[i, j] = x[i] + j;
    end for;
  end for;
end M;
// expect flat:
// model M
//   parameter Integer n = 3;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'y[1,1]';
//   Real 'y[1,2]';
//   Real 'y[2,1]';
//   Real 'y[2,2]';
//   Real 'y[3,1]';
//   Real 'y[3,2]';
// equation
//   'x[1]' = 1.0*time;
//   'y[1,1]' = 'x[1]' + 1.0;
//   'y[1,2]' = 'x[1]' + 2.0;
//   'x[2]' = 2.0*time;
//   'y[2,1]' = 'x[2]' + 1.0;
//   'y[2,2]' = 'x[2]' + 2.0;
//   'x[3]' = 3.0*time;
//   'y[3,1]' = 'x[3]' + 1.0;
//   'y[3,2]' = 'x[3]' + 2.0;
// end M;
