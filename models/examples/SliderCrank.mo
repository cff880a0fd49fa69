model SliderCrank "A crank turns a rod that moves a piston: a loop of constraints"
  parameter Real r = 0.1 "Crank", L = 0.3 "Rod", J = 0.05, m = 2;
  Real phi(start = 0.5, fixed = true) "Crank", w(start = 10, fixed = true);
  Real x(start = 0.38), v "Piston", a(start = 0.15) "Angle of the rod";
  Real F "Force in the rod", energy;
equation
  x = r * cos(phi) + L * cos(a);
  r * sin(phi) = L * sin(a);
  v = der(x);
  w = der(phi);
  m * der(v) = F * cos(a);
  J * der(w) = F * r * sin(phi + a) "The rod pushes the pin with -F";
  energy = m * v ^ 2 / 2 + J * w ^ 2 / 2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end SliderCrank;
