model M
  Real F(unit = "N");
  Real m(unit = "kg") = 1;
  Real a(unit = "m/s2") = 2;
  Real v(unit = "m/s") = 3;
  Real P(unit = "W");
equation
  F = m*v;
  P = F*v;
end M;
// expect warning: 8:3 the sides of the equation have different units: N and m.kg/s
// expect flat:
// model M
//   Real F(unit = "N");
//   Real m(unit = "kg");
//   Real a(unit = "m/s2");
//   Real v(unit = "m/s");
//   Real P(unit = "W");
// equation
//   m = 1.0;
//   a = 2.0;
//   v = 3.0;
//   F = m*v;
//   P = F*v;
// end M;
