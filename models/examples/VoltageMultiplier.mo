model VoltageMultiplier "Cockcroft and Walton: diodes and capacitors pump a voltage up to four amplitudes"
  import Saltus.Electrical.*;
  SineVoltage source(V = 100, f = 50);
  Resistor wire(R = 10);
  IdealDiode d[4](each Ron = 0.1, each Goff = 1e-9);
  Capacitor c[4](each C = 1e-5, each v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, wire.p);
  connect(c[1].n, wire.n);
  connect(c[2].n, ground.p);
  connect(c[3].n, c[1].p);
  connect(c[4].n, c[2].p);
  connect(d[1].p, ground.p);
  connect(d[2].p, c[1].p);
  connect(d[3].p, c[2].p);
  connect(d[4].p, c[3].p);
  for k in 1:4 loop
    connect(d[k].n, c[k].p);
  end for;
  annotation(experiment(StopTime = 2));
end VoltageMultiplier;
