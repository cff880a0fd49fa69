// Numbers other than 1, 2 and 1/2 may stand for quantities.
model M
  Real v(unit = "m/s") = 1;
  Real F(unit = "N") = -3*v;
  Real w(unit = "rad/s");
  Real phi(unit = "rad");
  Real E(unit = "J") = 2*v;
equation
  der(phi) = w;
  der(w) = -9.81*sin(phi);
end M;
// expect warning: 7:24 the sides of the equation have different units: J and m/s
// expect flat:
// model M
//   Real v(unit = "m/s");
//   Real F(unit = "N");
//   Real w(unit = "rad/s");
//   Real phi(unit = "rad");
//   Real E(unit = "J");
// equation
//   v = 1.0;
//   F = -3.0*v;
//   E = 2.0*v;
//   der(phi) = w;
//   der(w) = -9.81*sin(phi);
// end M;
