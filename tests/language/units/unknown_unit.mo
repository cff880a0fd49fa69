model M
  Real x(unit = "furlong") = 1;
end M;
// expect warning: 2:8 unit "furlong" of 'x' is not known
// expect flat:
// model M
//   Real x(unit = "furlong");
// equation
//   x = 1.0;
// end M;
