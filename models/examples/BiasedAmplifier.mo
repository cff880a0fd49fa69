model BiasedAmplifier "A transistor stage at rest: the operating point, from nonlinear equations"
  import Saltus.Electrical.*;
  ConstantVoltage supply(V = 12);
  Resistor rb1(R = 47e3), rb2(R = 10e3), rc(R = 2.2e3), re(R = 470);
  NPN transistor;
  Capacitor ce(C = 1e-5);
  Ground ground;
initial equation
  der(ce.v) = 0;
equation
  connect(supply.p, rb1.p);
  connect(supply.p, rc.p);
  connect(rb1.n, transistor.B);
  connect(rb2.p, transistor.B);
  connect(rc.n, transistor.C);
  connect(re.p, transistor.E);
  connect(ce.p, transistor.E);
  connect(rb2.n, ground.p);
  connect(re.n, ground.p);
  connect(ce.n, ground.p);
  connect(supply.n, ground.p);
  annotation(experiment(StopTime = 0.01));
end BiasedAmplifier;
