model M
  parameter Real a = 2;
  parameter Real b = 3*a + 1;
  parameter Integer n = 2;
  parameter Integer m = n*n;
  Real x(start = b, min = -a);
equation
  der(x) = -b*x;
end M;
// expect flat:
// model M
//   parameter Real a = 2.0;
//   parameter Real b = 3.0*a + 1.0;
//   parameter Integer n = 2;
//   parameter Integer m = n*n;
//   Real x(min = -a, start = b);
// equation
//   der(x) = -b*x;
// end M;
