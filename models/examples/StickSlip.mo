model StickSlip "A block on a moving belt, held by a spring: sticks and slips in turn"
  import Saltus.Translational.*;
  Mass body(m = 1, s(start = 0, fixed = true), v(start = 0.1, fixed = true));
  Spring spring(c = 100);
  Friction friction(fc = 2, fs = 5);
  Fixed wall;
  Speed belt(v = 0.1);
equation
  connect(wall.flange, spring.a);
  connect(spring.b, body.a);
  connect(belt.flange, friction.a);
  connect(friction.b, body.a);
  annotation(experiment(StopTime = 5));
end StickSlip;
