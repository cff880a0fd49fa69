model M
  Real x(unit = "m") = 1;
  Real y = sin(x);
end M;
// expect warning: 3:12 the argument of 'sin' should be a number, but its unit is m
// expect flat:
// model M
//   Real x(unit = "m");
//   Real y;
// equation
//   x = 1.0;
//   y = sin(x);
// end M;
