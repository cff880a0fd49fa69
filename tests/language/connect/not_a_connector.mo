model A
  Real x = 1;
end A;
model M
  A a;
  A b;
equation
  connect(a.x, b.x);
end M;
// expect error: 8:11 'a.x' is not a connector
