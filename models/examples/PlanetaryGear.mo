model PlanetaryGear "Sun driven, ring held, carrier loaded: one degree of freedom is left"
  import Saltus.Rotational.*;
  Inertia sun(J = 0.1, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  Inertia carrier(J = 1);
  Planetary gear(ratio = 3);
  Fixed housing;
  ConstantTorque drive(tau = 2);
equation
  connect(drive.flange, sun.a);
  connect(sun.b, gear.sun);
  connect(gear.ring, housing.flange);
  connect(gear.carrier, carrier.a);
  annotation(experiment(StopTime = 2));
end PlanetaryGear;
