model Short "Two batteries side by side"
  Saltus.Electrical.ConstantVoltage a(V = 9);
  Saltus.Electrical.ConstantVoltage b(V = 12);
  Saltus.Electrical.Resistor r;
  Saltus.Electrical.Ground ground;
equation
  connect(a.p, r.p);
  connect(b.p, r.p);
  connect(a.n, r.n);
  connect(b.n, r.n);
  connect(r.n, ground.p);
end Short;
