model M
  Real y[2, 2];
equation
  for i in 1:2, j in 1:2 loop
    y[i, j] = 10*i + j;
  end for;
end M;
// expect flat:
// model M
//   Real 'y[1,1]';
//   Real 'y[1,2]';
//   Real 'y[2,1]';
//   Real 'y[2,2]';
// equation
//   'y[1,1]' = 11.0;
//   'y[1,2]' = 12.0;
//   'y[2,1]' = 21.0;
//   'y[2,2]' = 22.0;
// end M;
