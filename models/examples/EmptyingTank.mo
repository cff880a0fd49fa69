model EmptyingTank "A tank runs empty by Torricelli's law, then nothing flows"
  parameter Real A = 1, a = 0.01, g = 9.81;
  Real h(start = 2, fixed = true), q;
  Boolean empty(start = false, fixed = true);
equation
  A * der(h) = -q;
  q = if empty then 0 else a * sqrt(2 * g * max(h, 0));
  empty = h < 1e-6 or pre(empty);
  annotation(experiment(StopTime = 100));
end EmptyingTank;
