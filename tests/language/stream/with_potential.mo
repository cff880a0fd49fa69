connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
connector Other
  Real p;
  flow Real m;
  Real h;
end Other;
model M
  Port a(h = 1);
  Other b;
equation
  connect(a, b);
end M;
// expect error: 15:3 'a.h' and 'b.h' cannot be connected: one is a stream variable, the other a potential
