connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port port;
equation
  port.p = 1;
end M;
// expect error: 6:7 model 'M' is not balanced: it has 3 unknowns and 2 equations; 1 equation is missing
// expect note: 4:15 'port.h' occurs in no equation
