model BuckConverter "A switch that opens and closes 10000 times a second steps a voltage down"
  import Saltus.Electrical.*;
  parameter Real duty = 0.4 "Share of the time in which the switch is closed";
  ConstantVoltage source(V = 24);
  Switch switch(Ron = 0.01, Goff = 1e-6);
  IdealDiode diode(Ron = 0.01, Goff = 1e-6);
  Inductor coil(L = 1e-3, i(start = 0, fixed = true));
  Capacitor capacitor(C = 100e-6, v(start = 0, fixed = true));
  Resistor load(R = 5);
  Ground ground;
  Saltus.Blocks.Pulse clock(period = 1e-4, width = duty);
equation
  switch.closed = clock.y > 0.5;
  connect(source.p, switch.p);
  connect(switch.n, coil.p);
  connect(switch.n, diode.n);
  connect(coil.n, capacitor.p);
  connect(coil.n, load.p);
  connect(load.n, ground.p);
  connect(capacitor.n, ground.p);
  connect(diode.p, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.02));
end BuckConverter;
