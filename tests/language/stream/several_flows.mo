connector Port
  Real p[2];
  flow Real m[2];
  stream Real h;
end Port;
model M
  Port c(h = 1, p = {1, 2});
end M;
// expect error: 4:15 connector 'Port' has the stream variable 'h' and needs exactly one flow variable, a scalar, but it has one that is no scalar
// expect note: 3:13 a flow variable is here
