model Pendulum "Mathematical pendulum in polar coordinates"
  parameter Real L = 1 "length";
  parameter Real g = 9.81;
  parameter Real m = 1 "mass";
  Real phi(start = 1, fixed = true);
  Real w(start = 0, fixed = true);
  Real energy;
equation
  der(phi) = w;
  der(w) = -g / L * sin(phi);
  energy = m * (0.5 * (L * w) ^ 2 - g * L * cos(phi));
  annotation(experiment(StopTime = 10));
end Pendulum;
