model M
  Real x(start = 1);
  Real y(start = 1);
  Real z;
equation
  der(x*y) = 1;
  der(x) = y;
  z = der(2*x);
end M;
// expect flat:
// model M
//   Real x(start = 1.0);
//   Real y(start = 1.0);
//   Real z;
// equation
//   der(x*y) = 1.0;
//   der(x) = y;
//   z = der(2.0*x);
// end M;
