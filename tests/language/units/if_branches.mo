model M
  Real a(unit = "m") = 1;
  Real b(unit = "s") = 2;
  Real c = if time > 1 then a else b;
end M;
// expect warning: 4:12 the branches have different units: s and m
// expect flat:
// model M
//   Real a(unit = "m");
//   Real b(unit = "s");
//   Real c;
// equation
//   a = 1.0;
//   b = 2.0;
//   c = if time > 1.0 then a else b;
// end M;
