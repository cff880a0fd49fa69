model Kepler "A planet on an ellipse: energy and angular momentum are kept, it comes back"
  parameter Real e = 0.6 "Eccentricity";
  Real x(start = 1 - e, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = sqrt((1 + e) / (1 - e)), fixed = true);
  Real energy, momentum;
  Integer aphelia(start = 0, fixed = true) "How often it was furthest away";
protected
  Real r3 = sqrt(x ^ 2 + y ^ 2) ^ 3;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x / r3;
  der(v) = -y / r3;
  energy = (u ^ 2 + v ^ 2) / 2 - 1 / sqrt(x ^ 2 + y ^ 2);
  momentum = x * v - y * u;
  when y < 0 then
    aphelia = pre(aphelia) + 1;
  end when;
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end Kepler;
