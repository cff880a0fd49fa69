model M
  Real x[3](start = 1);
equation
  der(x) = -x;
end M;
// expect warning: 2:13 'start' of an array is given one value for all elements; write 'each start'
// expect flat:
// model M
//   Real 'x[1]'(start = 1.0);
//   Real 'x[2]'(start = 1.0);
//   Real 'x[3]'(start = 1.0);
// equation
//   der('x[1]') = -'x[1]';
//   der('x[2]') = -'x[2]';
//   der('x[3]') = -'x[3]';
// end M;
