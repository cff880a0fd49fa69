model M
  Real x(unit = "m") = 1;
  Real t(unit = "s") = 2;
  Boolean b = x > t;
  Real y = if b then x else t;
end M;
// expect warning: 4:15 values of different units are compared: m and s
// expect warning: 5:12 the branches have different units: s and m
// expect flat:
// model M
//   Real x(unit = "m");
//   Real t(unit = "s");
//   Boolean b;
//   Real y;
// equation
//   x = 1.0;
//   t = 2.0;
//   b = x > t;
//   y = if b then x else t;
// end M;
