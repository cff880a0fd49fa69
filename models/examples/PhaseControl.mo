model PhaseControl "A thyristor fired at the top of the positive half waves: a quarter of the power"
  import Saltus.Electrical.*;
  SineVoltage source(V = 325, f = 50);
  Thyristor thyristor(Ron = 0, Goff = 0);
  Resistor lamp(R = 530);
  Ground ground;
  Saltus.Blocks.Pulse pulses(period = 0.02, startTime = 0.005, width = 0.05);
  Real energy(start = 0, fixed = true, unit = "J") "Consumed by the lamp";
equation
  thyristor.fire = pulses.y > 0.5;
  connect(source.p, thyristor.p);
  connect(thyristor.n, lamp.p);
  connect(lamp.n, source.n);
  connect(source.n, ground.p);
  der(energy) = lamp.v * lamp.i;
  annotation(experiment(StopTime = 0.1));
end PhaseControl;
