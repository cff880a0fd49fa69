model SallenKey "Active low-pass filter of second order with an operational amplifier"
  import Saltus.Electrical.*;
  StepVoltage source(V = 1);
  Resistor r1(R = 1e4), r2(R = 1e4);
  Capacitor c1(C = 20e-9, v(start = 0, fixed = true)), c2(C = 10e-9, v(start = 0, fixed = true));
  OpAmp amplifier;
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, amplifier.inP);
  connect(r2.n, c2.p);
  connect(c2.n, ground.p);
  connect(r1.n, c1.p);
  connect(c1.n, amplifier.out);
  connect(amplifier.inN, amplifier.out);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 2e-3));
end SallenKey;
