connector Port
  Real p;
  flow Real m_flow;
  stream Real h;
end Port;
model M
  Port port;
equation
  port.p = 1;
end M;
// expect error: 4:3 stream variables are not supported
