model PhotonBilliard "A photon between round mirrors at all integer points (SIAM's 100-digit challenge)"
  parameter Real r = 1 / 3 "Radius of the mirrors";
  Real x(start = 0.5, fixed = true), y(start = 0.1, fixed = true);
  Real u(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer reflections(start = 0, fixed = true);
  Real distance = sqrt(x ^ 2 + y ^ 2);
protected
  Real dx = x - floor(x + 0.5), dy = y - floor(y + 0.5) "From the nearest mirror's centre";
  Real p = 2 * (dx * u + dy * v) / (dx ^ 2 + dy ^ 2);
equation
  der(x) = u;
  der(y) = v;
  der(u) = 0;
  der(v) = 0;
  when dx ^ 2 + dy ^ 2 <= r ^ 2 then
    reinit(u, pre(u) - p * dx);
    reinit(v, pre(v) - p * dy);
    reflections = pre(reflections) + 1;
  end when;
  annotation(experiment(StopTime = 10, Tolerance = 1e-10));
end PhotonBilliard;
