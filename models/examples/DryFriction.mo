model DryFriction "An oscillator with dry friction: loses the same amplitude in every swing, then sticks"
  import Saltus.Translational.*;
  Mass mass(m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true));
  Spring spring(c = 100);
  Friction friction(fc = 8);
  Fixed wall;
equation
  connect(wall.flange, spring.a);
  connect(wall.flange, friction.a);
  connect(spring.b, mass.a);
  connect(friction.b, mass.a);
  annotation(experiment(StopTime = 3));
end DryFriction;
