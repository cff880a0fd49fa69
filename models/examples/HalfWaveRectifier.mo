model HalfWaveRectifier "One diode lets the positive half waves of a sine through"
  import Saltus.Electrical.*;
  SineVoltage source(V = 10, f = 50);
  IdealDiode diode(Ron = 0, Goff = 0);
  Resistor load(R = 100);
  Ground ground;
  Real charge(start = 0, fixed = true, unit = "C") "What has passed through the load";
equation
  connect(source.p, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  der(charge) = load.i;
  annotation(experiment(StopTime = 0.1));
end HalfWaveRectifier;
