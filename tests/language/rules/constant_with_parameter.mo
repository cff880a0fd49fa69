// Section 9.3.
connector C
  constant Real p = 1;
  Real v;
  flow Real i;
end C;
connector D
  parameter Real p = 1;
  Real v;
  flow Real i;
end D;
model N
  C c;
  D d;
equation
  c.v = 1;
end N;
model M
  N n;
equation
  connect(n.c, n.d);
end M;
// expect error: 21:3 'n.c.p' and 'n.d.p' cannot be connected: one is a constant, the other a parameter
