connector Port
  stream Real h;
end Port;
model M
  Port c(h = 1);
end M;
// expect error: 2:15 connector 'Port' has the stream variable 'h' and needs exactly one flow variable, a scalar, but it has none
