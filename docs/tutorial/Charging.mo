model Charging "A capacitor is charged when a switch closes"
  import Saltus.Electrical.*;
  ConstantVoltage battery(V = 9);
  Switch s(closed = time > 0.1);
  Resistor r(R = 1000);
  Capacitor c(C = 1e-4, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(battery.p, s.p);
  connect(s.n, r.p);
  connect(r.n, c.p);
  connect(c.n, battery.n);
  connect(battery.n, ground.p);
  annotation(experiment(StopTime = 0.5));
end Charging;
