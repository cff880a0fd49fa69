model M
  Real l(unit = "m") = 1;
  Real t(unit = "s") = 2;
  Real x = l + t;
end M;
// expect warning: 4:12 terms of different units are added: m and s
// expect flat:
// model M
//   Real l(unit = "m");
//   Real t(unit = "s");
//   Real x;
// equation
//   l = 1.0;
//   t = 2.0;
//   x = l + t;
// end M;
