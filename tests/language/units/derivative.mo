model M
  Real x(unit = "m", start = 0);
  Real v(unit = "m/s") = 1;
equation
  der(x) = v^2;
end M;
// expect warning: 5:3 the sides of the equation have different units: m/s and m2/s2
// expect flat:
// model M
//   Real x(unit = "m", start = 0.0);
//   Real v(unit = "m/s");
// equation
//   v = 1.0;
//   der(x) = v^2.0;
// end M;
