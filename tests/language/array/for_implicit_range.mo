model M
  Real x[3];
  Real y[2, 3];
equation
  for i loop
    x[i] = i;
  end for;
  for i, j loop
    y[i, j] = x[j]*i;
  end for;
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'y[1,1]';
//   Real 'y[1,2]';
//   Real 'y[1,3]';
//   Real 'y[2,1]';
//   Real 'y[2,2]';
//   Real 'y[2,3]';
// equation
//   'x[1]' = 1.0;
//   'x[2]' = 2.0;
//   'x[3]' = 3.0;
//   'y[1,1]' = 'x[1]'*1.0;
//   'y[1,2]' = 'x[2]'*1.0;
//   'y[1,3]' = 'x[3]'*1.0;
//   'y[2,1]' = 'x[1]'*2.0;
//   'y[2,2]' = 'x[2]'*2.0;
//   'y[2,3]' = 'x[3]'*2.0;
// end M;
