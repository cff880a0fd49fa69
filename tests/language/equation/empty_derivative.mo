// Equations of arrays without elements say nothing, also with der (section 10.7).
model M
  parameter Integer n = 1;
  Real x[n](each start = 1, each fixed = true);
  Real e[n - 1];
equation
  der(x[1]) = -x[1];
  der(x[2:n]) = x[1:n - 1];
  der(e) = zeros(n - 1);
end M;
// expect flat:
// model M
//   parameter Integer n = 1;
//   Real 'x[1]'(start = 1.0, fixed = true);
// equation
//   der('x[1]') = -'x[1]';
// end M;
