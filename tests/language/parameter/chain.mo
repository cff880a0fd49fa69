model M
  parameter Real a = 2*b;
  parameter Real b = c + 1;
  parameter Real c = 3;
  final parameter Real d = a*b;
  Real x = d*time;
end M;
// expect flat:
// model M
//   parameter Real a = 2.0*b;
//   parameter Real b = c + 1.0;
//   parameter Real c = 3.0;
//   final parameter Real d = a*b;
//   Real x;
// equation
//   x = d*time;
// end M;
