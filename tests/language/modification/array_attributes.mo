model M
  Real x[2](start = {1, 2}, each fixed = true);
equation
  der(x) = -x;
end M;
// expect flat:
// model M
//   Real 'x[1]'(start = 1.0, fixed = true);
//   Real 'x[2]'(start = 2.0, fixed = true);
// equation
//   der('x[1]') = -'x[1]';
//   der('x[2]') = -'x[2]';
// end M;
