connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model Pipe "hands on what is connected to its ports"
  Port a, b;
equation
  connect(a, b);
end Pipe;
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
  Pipe x;
  Sink b;
equation
  connect(a.c, x.a);
  connect(x.b, b.c);
end M;
// expect flat:
// model M
//   Real 'a.c.p';
//   Real 'a.c.m';
//   Real 'a.c.h';
//   Real 'x.a.p';
//   Real 'x.a.m';
//   Real 'x.a.h';
//   Real 'x.b.p';
//   Real 'x.b.m';
//   Real 'x.b.h';
//   Real 'b.c.p';
//   Real 'b.c.m';
//   Real 'b.c.h';
//   Real 'b.into';
// equation
//   'a.c.h' = 1.0;
//   'a.c.m' = -2.0;
//   'b.into' = 'x.b.h';
//   'b.c.h' = 3.0;
//   'b.c.p' = 0.0;
//   'x.a.p' = 'x.b.p';
//   -'x.a.m' + (-'x.b.m') = 0.0;
//   'x.a.h' = 'b.c.h';
//   'x.b.h' = 'a.c.h';
//   'a.c.p' = 'x.a.p';
//   'a.c.m' + 'x.a.m' = 0.0;
//   'x.b.p' = 'b.c.p';
//   'x.b.m' + 'b.c.m' = 0.0;
// end M;
