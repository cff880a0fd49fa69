connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model Source
  Port c;
equation
  c.h = 1;
  c.m = -2;
end Source;
model Sink
  Port c;
  Real into = inStream(c.h);
equation
  c.h = 3;
  c.p = 0;
end Sink;
model M
  Source a;
  Sink b;
equation
  connect(a.c, b.c);
end M;
// expect flat:
// model M
//   Real 'a.c.p';
//   Real 'a.c.m';
//   Real 'a.c.h';
//   Real 'b.c.p';
//   Real 'b.c.m';
//   Real 'b.c.h';
//   Real 'b.into';
// equation
//   'a.c.h' = 1.0;
//   'a.c.m' = -2.0;
//   'b.into' = 'a.c.h';
//   'b.c.h' = 3.0;
//   'b.c.p' = 0.0;
//   'a.c.p' = 'b.c.p';
//   'a.c.m' + 'b.c.m' = 0.0;
// end M;
