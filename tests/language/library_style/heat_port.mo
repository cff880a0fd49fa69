connector HeatPort
  Real T(unit = "K");
  flow Real Q_flow(unit = "W");
end HeatPort;
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;
partial model ConditionalHeatPort
  parameter Boolean useHeatPort = false;
  parameter Real T(unit = "K") = 293.15;
  HeatPort heatPort(final T = T_heatPort, final Q_flow = -LossPower) if useHeatPort;
  Real LossPower(unit = "W");
  Real T_heatPort(unit = "K");
equation
  if not useHeatPort then
    T_heatPort = T;
  end if;
end ConditionalHeatPort;
model Resistor
  parameter Real R(unit = "Ohm", start = 1);
  parameter Real T_ref(unit = "K") = 300.15;
  Pin p;
  Pin n;
  Real v(unit = "V");
  Real i(unit = "A");
  extends ConditionalHeatPort(T = T_ref);
equation
  v = p.v - n.v;
  0 = p.i + n.i;
  i = p.i;
  v = R*i;
  LossPower = v*i;
end Resistor;
model FixedTemperature
  HeatPort port;
equation
  port.T = 300;
end FixedTemperature;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  Resistor a(R = 10);
  Resistor b(R = 20, useHeatPort = true);
  FixedTemperature t;
  Ground g;
equation
  connect(a.p, b.n);
  connect(a.n, b.p);
  connect(b.heatPort, t.port);
  connect(g.p, a.n);
end M;
// expect flat:
// model M
//   parameter Real 'a.R'(unit = "Ohm", start = 1.0) = 10.0;
//   parameter Real 'a.T_ref'(unit = "K") = 300.15;
//   Real 'a.p.v'(unit = "V");
//   Real 'a.p.i'(unit = "A");
//   Real 'a.n.v'(unit = "V");
//   Real 'a.n.i'(unit = "A");
//   Real 'a.v'(unit = "V");
//   Real 'a.i'(unit = "A");
//   parameter Boolean 'a.useHeatPort' = false;
//   parameter Real 'a.T'(unit = "K") = 'a.T_ref';
//   Real 'a.LossPower'(unit = "W");
//   Real 'a.T_heatPort'(unit = "K");
//   parameter Real 'b.R'(unit = "Ohm", start = 1.0) = 20.0;
//   parameter Real 'b.T_ref'(unit = "K") = 300.15;
//   Real 'b.p.v'(unit = "V");
//   Real 'b.p.i'(unit = "A");
//   Real 'b.n.v'(unit = "V");
//   Real 'b.n.i'(unit = "A");
//   Real 'b.v'(unit = "V");
//   Real 'b.i'(unit = "A");
//   parameter Boolean 'b.useHeatPort' = true;
//   parameter Real 'b.T'(unit = "K") = 'b.T_ref';
//   Real 'b.heatPort.T'(unit = "K");
//   Real 'b.heatPort.Q_flow'(unit = "W");
//   Real 'b.LossPower'(unit = "W");
//   Real 'b.T_heatPort'(unit = "K");
//   Real 't.port.T'(unit = "K");
//   Real 't.port.Q_flow'(unit = "W");
//   Real 'g.p.v'(unit = "V");
//   Real 'g.p.i'(unit = "A");
// equation
//   'a.T_heatPort' = 'a.T';
//   'a.v' = 'a.p.v' - 'a.n.v';
//   0.0 = 'a.p.i' + 'a.n.i';
//   'a.i' = 'a.p.i';
//   'a.v' = 'a.R'*'a.i';
//   'a.LossPower' = 'a.v'*'a.i';
//   'b.heatPort.T' = 'b.T_heatPort';
//   'b.heatPort.Q_flow' = -'b.LossPower';
//   'b.v' = 'b.p.v' - 'b.n.v';
//   0.0 = 'b.p.i' + 'b.n.i';
//   'b.i' = 'b.p.i';
//   'b.v' = 'b.R'*'b.i';
//   'b.LossPower' = 'b.v'*'b.i';
//   't.port.T' = 300.0;
//   'g.p.v' = 0.0;
//   'a.p.v' = 'b.n.v';
//   'a.p.i' + 'b.n.i' = 0.0;
//   'a.n.v' = 'b.p.v';
//   'a.n.v' = 'g.p.v';
//   'a.n.i' + 'b.p.i' + 'g.p.i' = 0.0;
//   'b.heatPort.T' = 't.port.T';
//   'b.heatPort.Q_flow' + 't.port.Q_flow' = 0.0;
// end M;
