model NewtonsCradle "Three balls in a row: what comes in on one side goes out on the other"
  parameter Real g = 9.81, L = 0.5, angle = 0.2;
  Real phi[3](start = {-angle, 0, 0}, each fixed = true) "Small angles";
  Real w[3](each start = 0, each fixed = true);
  Real energy;
  Integer hits(start = 0, fixed = true) "Noticeable ones";
equation
  der(phi) = w;
  der(w) = -g / L * phi;
  energy = w * w / 2 + g / L * (phi * phi) / 2;
  when phi[1] >= phi[2] and w[1] > w[2] + 1e-6 then
    reinit(w[1], pre(w[2]));
    reinit(w[2], pre(w[1]));
    hits = pre(hits) + 1;
  elsewhen phi[2] >= phi[3] and w[2] > w[3] + 1e-6 then
    reinit(w[2], pre(w[3]));
    reinit(w[3], pre(w[2]));
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end NewtonsCradle;
