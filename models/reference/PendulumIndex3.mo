model PendulumIndex3 "Pendulum with a rod as constraint, let go when it is horizontal"
  parameter Real L = 1, g = 9.81;
  Real x(start = L), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true);
  Real lambda "Force of the rod per length and mass";
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda * x;
  der(v) = -lambda * y - g;
  x ^ 2 + y ^ 2 = L ^ 2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10));
end PendulumIndex3;
