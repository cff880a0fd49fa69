model M
  Real a(unit = "km") = 1;
  Real b(unit = "m") = a;
  Real c(unit = "ms") = 1;
  Real d(unit = "m") = c;
end M;
// expect warning: 5:24 the sides of the equation have different units: m and ms
// expect flat:
// model M
//   Real a(unit = "km");
//   Real b(unit = "m");
//   Real c(unit = "ms");
//   Real d(unit = "m");
// equation
//   a = 1.0;
//   b = a;
//   c = 1.0;
//   d = c;
// end M;
