model M
  parameter Integer k = 2;
  Real x[3] = {1, 2, 3};
  Real y = x[k];
end M;
// expect flat:
// model M
//   parameter Integer k = 2;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real y;
// equation
//   'x[1]' = 1.0;
//   'x[2]' = 2.0;
//   'x[3]' = 3.0;
//   y = 'x[2]';
// end M;
