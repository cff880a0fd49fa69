model Lorenz "Lorenz's equations of convection: deterministic chaos"
  parameter Real sigma = 10, rho = 28, beta = 8 / 3;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = sigma * (y - x);
  der(y) = x * (rho - z) - y;
  der(z) = x * y - beta * z;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10));
end Lorenz;
