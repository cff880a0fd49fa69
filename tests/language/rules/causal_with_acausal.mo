// Section 9.3.
connector C
  input Real v;
  flow Real i;
  Real w;
end C;
connector D
  Real v;
  flow Real i;
  output Real w;
end D;
model N
  C c;
  D d;
end N;
model M
  N n;
equation
  connect(n.c, n.d);
end M;
// expect error: 19:3 'n.c.v' and 'n.d.v' cannot be connected: 'n.c.v' is an input, the other neither input nor output
// expect error: 19:3 'n.c.w' and 'n.d.w' cannot be connected: 'n.d.w' is an output, the other neither input nor output
