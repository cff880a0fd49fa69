model M
  parameter Real p(fixed = false, start = 1);
  Real x;
  Real y(start = 2);
initial equation
  der(x) = 0;
  p = 2*y;
equation
  der(x) = -p*x + 1;
  der(y) = -y;
initial algorithm
  y := 3;
end M;
// expect flat:
// model M
//   parameter Real p(start = 1.0, fixed = false);
//   Real x;
//   Real y(start = 2.0);
// initial equation
//   der(x) = 0.0;
//   p = 2.0*y;
// initial algorithm
//   y := 3.0;
// equation
//   der(x) = -p*x + 1.0;
//   der(y) = -y;
// end M;
