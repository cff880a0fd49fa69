type E = enumeration(one, two, three);
model M
  Real x[E] = {1, 2, 3};
  Real y = x[E.two];
  Real b[Boolean] = {5, 6};
  Real z = b[true];
  Real w[3] = {x[e] for e in E};
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real y;
//   Real 'b[1]';
//   Real 'b[2]';
//   Real z;
//   Real 'w[1]';
//   Real 'w[2]';
//   Real 'w[3]';
// equation
//   'x[1]' = 1.0;
//   'x[2]' = 2.0;
//   'x[3]' = 3.0;
//   y = 'x[2]';
//   'b[1]' = 5.0;
//   'b[2]' = 6.0;
//   z = 'b[2]';
//   'w[1]' = 'x[1]';
//   'w[2]' = 'x[2]';
//   'w[3]' = 'x[3]';
// end M;
