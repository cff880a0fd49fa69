connector A
  Real v;
  flow Real i;
end A;
connector B
  Real v;
  Real w;
  flow Real i;
end B;
model M
  A a;
  B b;
equation
  connect(a, b);
end M;
// expect error: 14:3 'b' and 'a' cannot be connected: only one of them has a 'w'
