model ElasticPendulum "A mass on a spring that swings and bounces"
  parameter Real g = 9.81, c = 40, m = 1, L = 1;
  Real x(start = 0.3, fixed = true), y(start = -1.2, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true);
  Real r = sqrt(x ^ 2 + y ^ 2), F = c * (r - L);
  Real energy;
equation
  der(x) = vx;
  der(y) = vy;
  m * der(vx) = -F * x / r;
  m * der(vy) = -F * y / r - m * g;
  energy = m / 2 * (vx ^ 2 + vy ^ 2) + m * g * y + c / 2 * (r - L) ^ 2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end ElasticPendulum;
