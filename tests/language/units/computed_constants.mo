// What was computed from constants has a unit that nobody knows; n is a pure number.
model M
  constant Real a(unit = "m") = 3;
  constant Real b(unit = "m") = 3;
  parameter Integer n = 2;
  Real x(unit = "m") = time;
  Real y(unit = "s") = (n + (a - b))*x;
  Real z(unit = "s") = (n + a*b)*x;
end M;
// expect warning: 7:24 the sides of the equation have different units: s and m
// expect warning: 8:24 the sides of the equation have different units: s and m
// expect flat:
// model M
//   constant Real a(unit = "m") = 3.0;
//   constant Real b(unit = "m") = 3.0;
//   parameter Integer n = 2;
//   Real x(unit = "m");
//   Real y(unit = "s");
//   Real z(unit = "s");
// equation
//   x = time;
//   y = (n + 0.0)*x;
//   z = (n + 9.0)*x;
// end M;
