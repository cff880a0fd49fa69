model CoupledCoils "Two resonant circuits hand their energy to and fro through a transformer"
  import Saltus.Electrical.*;
  Capacitor c1(C = 1e-6, v(start = 1, fixed = true)), c2(C = 1e-6, v(start = 0, fixed = true));
  Transformer coils(L1 = 1e-3, L2 = 1e-3, M = 1e-4, i1(start = 0, fixed = true),
                    i2(start = 0, fixed = true));
  Ground ground;
equation
  connect(c1.p, coils.p1);
  connect(c1.n, coils.n1);
  connect(c2.p, coils.p2);
  connect(c2.n, coils.n2);
  connect(coils.n1, coils.n2);
  connect(coils.n1, ground.p);
  annotation(experiment(StopTime = 2e-3));
end CoupledCoils;
