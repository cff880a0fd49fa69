model M
  constant Real g(unit = "m/s2") = 9.81;
  constant Real two = 2;
  parameter Real m(unit = "kg") = 2;
  Real F(unit = "N") = m*g;
  Real G(unit = "N") = two*m*g;
  Real H(unit = "N") = m*(2*g);
  Real W(unit = "W") = m*g;
end M;
// expect warning: 8:24 the sides of the equation have different units: W and m.kg/s2
// expect flat:
// model M
//   constant Real g(unit = "m/s2") = 9.81;
//   constant Real two = 2.0;
//   parameter Real m(unit = "kg") = 2.0;
//   Real F(unit = "N");
//   Real G(unit = "N");
//   Real H(unit = "N");
//   Real W(unit = "W");
// equation
//   F = m*9.81;
//   G = 2.0*m*9.81;
//   H = m*19.62;
//   W = m*9.81;
// end M;
