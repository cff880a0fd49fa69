model ThreePhaseRectifier "Six diodes choose the highest and the lowest of three phases"
  import Saltus.Electrical.*;
  constant Real third = 2.0943951023931954923 "Of a turn";
  SineVoltage phase[3](each V = 325, each f = 50, phase = {0, -third, third});
  IdealDiode up[3](each Ron = 1e-3, each Goff = 1e-9), down[3](each Ron = 1e-3, each Goff = 1e-9);
  Resistor load(R = 50);
  Ground star;
  Real energy(start = 0, fixed = true, unit = "J") "Consumed by the load";
equation
  for k in 1:3 loop
    connect(phase[k].n, star.p);
    connect(phase[k].p, up[k].p);
    connect(up[k].n, load.p);
    connect(phase[k].p, down[k].n);
    connect(down[k].p, load.n);
  end for;
  der(energy) = load.v * load.i;
  annotation(experiment(StopTime = 0.1));
end ThreePhaseRectifier;
