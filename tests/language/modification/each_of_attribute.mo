model A
  Real x;
equation
  der(x) = 1;
end A;
model M
  A a[2](x(start = {1, 2}, each fixed = true));
end M;
// expect flat:
// model M
//   Real 'a[1].x'(start = 1.0, fixed = true);
//   Real 'a[2].x'(start = 2.0, fixed = true);
// equation
//   der('a[1].x') = 1.0;
//   der('a[2].x') = 1.0;
// end M;
