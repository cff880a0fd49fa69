model M
  parameter Real a = 2 annotation(Evaluate = true);
  parameter Integer n = 2;
  Real x[n] = fill(a, n);
end M;
// expect flat:
// model M
//   parameter Real a = 2.0;
//   parameter Integer n = 2;
//   Real 'x[1]';
//   Real 'x[2]';
// equation
//   'x[1]' = a;
//   'x[2]' = a;
// end M;
