connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port c(p = 1, h = 2);
  Real x = inStream(c.p);
  Real y = actualStream(2.0);
end M;
// expect error: 8:21 'inStream' needs a stream variable: one that a connector declares with the prefix 'stream'
// expect error: 9:25 'actualStream' needs a stream variable: one that a connector declares with the prefix 'stream'
