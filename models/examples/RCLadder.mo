model RCLadder "A cable as a ladder of resistors and capacitors, made in a loop"
  import Saltus.Electrical.*;
  parameter Integer n = 10 "Sections";
  ConstantVoltage source(V = 1);
  Resistor r[n](each R = 100);
  Capacitor c[n](each C = 1e-6, each v(start = 0, each fixed = true));
  Ground ground;
equation
  connect(source.p, r[1].p);
  for k in 1:n loop
    connect(r[k].n, c[k].p);
    connect(c[k].n, ground.p);
  end for;
  for k in 1:n - 1 loop
    connect(r[k].n, r[k + 1].p);
  end for;
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.02));
end RCLadder;
