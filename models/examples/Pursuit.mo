model Pursuit "Four dogs at the corners of a square run after each other and meet after one side length"
  parameter Real side = 1, near = 1e-3 "They stop there";
  Real x[4](start = {0, side, side, 0}, each fixed = true);
  Real y[4](start = {0, 0, side, side}, each fixed = true);
protected
  Real dx[4] = {x[2] - x[1], x[3] - x[2], x[4] - x[3], x[1] - x[4]};
  Real dy[4] = {y[2] - y[1], y[3] - y[2], y[4] - y[3], y[1] - y[4]};
  Real d[4] = {sqrt(dx[k] ^ 2 + dy[k] ^ 2) for k in 1:4};
equation
  for k in 1:4 loop
    der(x[k]) = dx[k] / d[k];
    der(y[k]) = dy[k] / d[k];
  end for;
  when d[1] < near then
    terminate("caught");
  end when;
  annotation(experiment(StopTime = 1));
end Pursuit;
