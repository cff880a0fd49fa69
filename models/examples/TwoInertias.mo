model TwoInertias "Two flywheels joined by an elastic shaft, turning freely"
  import Saltus.Rotational.*;
  Inertia a(J = 1, phi(start = 0, fixed = true), w(start = 3, fixed = true));
  Inertia b(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Spring shaft(c = 60);
equation
  connect(a.b, shaft.a);
  connect(shaft.b, b.a);
  annotation(experiment(StopTime = 5));
end TwoInertias;
