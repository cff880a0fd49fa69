model M
  parameter Real p(fixed = false);
  Real x(start = 1, fixed = true);
initial equation
  p = 2*x;
equation
  der(x) = -p;
end M;
// expect flat:
// model M
//   parameter Real p(fixed = false);
//   Real x(start = 1.0, fixed = true);
// initial equation
//   p = 2.0*x;
// equation
//   der(x) = -p;
// end M;
