model M
  Integer k = integer(time);
  Real x, y;
equation
  k = 2.0 * x;
  y - 1 = k;
end M;
// expect flat:
// model M
//   Integer k;
//   Real x;
//   Real y;
// equation
//   k = integer(time);
//   k = 2.0*x;
//   y - 1.0 = k;
// end M;
