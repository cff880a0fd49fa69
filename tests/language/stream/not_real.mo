connector Port
  Real p;
  flow Real m;
  stream Integer h;
end Port;
model M
  Port c(h = 1, p = 1);
end M;
// expect error: 4:3 a stream variable must be Real, but 'h' is Integer
