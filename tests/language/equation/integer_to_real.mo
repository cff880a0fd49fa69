model M
  Integer n = 3;
  Real x = n;
  Real y = n/2;
  Real z = 2*n + 0.5;
equation
  assert(n < 3.5, "no");
end M;
// expect flat:
// model M
//   Integer n;
//   Real x;
//   Real y;
//   Real z;
// equation
//   n = 3;
//   x = n;
//   y = n/2.0;
//   z = 2*n + 0.5;
//   assert(n < 3.5, "no");
// end M;
