model M
  parameter Real p;
  Real x = p;
end M;
// expect flat:
// model M
//   parameter Real p;
//   Real x;
// equation
//   x = p;
// end M;
