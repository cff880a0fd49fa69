model MassSpringDamper "A mass between a spring, a damper and a wall, pushed by a constant force"
  import Saltus.Translational.*;
  Mass mass(m = 2, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Spring spring(c = 50);
  Damper damper(d = 4);
  Fixed wall;
  ConstantForce force(f = 10);
equation
  connect(wall.flange, spring.a);
  connect(wall.flange, damper.a);
  connect(spring.b, mass.a);
  connect(damper.b, mass.a);
  connect(mass.b, force.flange);
  annotation(experiment(StopTime = 5));
end MassSpringDamper;
