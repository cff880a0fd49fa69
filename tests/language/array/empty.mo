model M
  parameter Integer n = 0;
  Real x[n];
  Real s = sum(x);
  Real y[n] = zeros(n);
  Real z[n] = x + y;
end M;
// expect flat:
// model M
//   parameter Integer n = 0;
//   Real s;
// equation
//   s = 0.0;
// end M;
