model M
  parameter Real x0 = 3;
  Real x(start = 2*x0, fixed = true);
equation
  der(x) = -x;
end M;
// expect flat:
// model M
//   parameter Real x0 = 3.0;
//   Real x(start = 2.0*x0, fixed = true);
// equation
//   der(x) = -x;
// end M;
