model DoublePendulum "Two rods, each with a mass at its end, in angles"
  parameter Real g = 9.81, L1 = 1, L2 = 0.8, m1 = 1, m2 = 0.5;
  Real a(start = 1, fixed = true), b(start = -0.5, fixed = true);
  Real u(start = 0, fixed = true), v(start = 0, fixed = true);
  Real energy;
equation
  der(a) = u;
  der(b) = v;
  (m1 + m2) * L1 * der(u) + m2 * L2 * cos(a - b) * der(v) + m2 * L2 * sin(a - b) * v ^ 2
    + (m1 + m2) * g * sin(a) = 0;
  L1 * cos(a - b) * der(u) + L2 * der(v) - L1 * sin(a - b) * u ^ 2 + g * sin(b) = 0;
  energy = (m1 + m2) / 2 * (L1 * u) ^ 2 + m2 / 2 * (L2 * v) ^ 2
    + m2 * L1 * L2 * cos(a - b) * u * v - (m1 + m2) * g * L1 * cos(a) - m2 * g * L2 * cos(b);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end DoublePendulum;
