connector Pin
  Real v;
  flow Real i;
end Pin;

model Resistor
  Pin p, n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i; // and what flows in must flow out: p.i + n.i = 0
end Resistor;

model Voltage
  Pin p;
  parameter Real V = 0;
equation
  p.v = V;
end Voltage;

model Circuit
  Voltage source(V = 5), ground;
  Resistor resistor;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, ground.p);
end Circuit;
