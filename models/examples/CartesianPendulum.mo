model CartesianPendulum "Pendulum with a rod as constraint: a DAE of index 3"
  parameter Real L = 1 "length";
  parameter Real g = 9.81;
  Real x(start = 0.8, fixed = true), y(start = -0.6);
  Real vx(start = 0, fixed = true), vy;
  Real lambda "force of the rod per length and mass";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -lambda * y - g;
  x ^ 2 + y ^ 2 = L ^ 2;
  annotation(experiment(StopTime = 0.5));
end CartesianPendulum;
