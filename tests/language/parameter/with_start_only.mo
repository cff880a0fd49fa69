model M
  parameter Real p(start = 3);
  Real x = p;
end M;
// expect flat:
// model M
//   parameter Real p(start = 3.0);
//   Real x;
// equation
//   x = p;
// end M;
