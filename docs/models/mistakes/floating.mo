model Floating "A circuit without ground"
  Saltus.Electrical.ConstantVoltage battery(V = 9);
  Saltus.Electrical.Resistor r;
equation
  connect(battery.p, r.p);
  connect(battery.n, r.n);
end Floating;
