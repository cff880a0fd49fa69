connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port c;
  Real into = inStream(c.h);
  Real actual = actualStream(c.h);
equation
  c.p = 0;
  c.h = 3;
end M;
// expect flat:
// model M
//   Real 'c.p';
//   Real 'c.m';
//   Real 'c.h';
//   Real into;
//   Real actual;
// equation
//   into = 'c.h';
//   actual = 'c.h';
//   'c.p' = 0.0;
//   'c.h' = 3.0;
//   'c.m' = 0.0;
// end M;
