model BridgeRectifier "Four diodes turn both half waves of a sine the same way"
  import Saltus.Electrical.*;
  SineVoltage source(V = 10, f = 50);
  IdealDiode d1(Ron = 0.1, Goff = 1e-6), d2(Ron = 0.1, Goff = 1e-6);
  IdealDiode d3(Ron = 0.1, Goff = 1e-6), d4(Ron = 0.1, Goff = 1e-6);
  Resistor load(R = 100);
  Ground ground;
equation
  connect(source.p, d1.p);
  connect(source.p, d2.n);
  connect(source.n, d3.p);
  connect(source.n, d4.n);
  connect(d1.n, load.p);
  connect(d3.n, load.p);
  connect(d2.p, load.n);
  connect(d4.p, load.n);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.1));
end BridgeRectifier;
