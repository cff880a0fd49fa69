model CruiseControl "A car keeps its speed: PI controller, limited engine, air drag"
  parameter Real m = 1200, c(unit = "kg/m") = 0.5 "Drag", Fmax = 4000, target = 25;
  parameter Real k = 600 "Gain", T = 12 "Integral time";
  Real v(start = 0, fixed = true, unit = "m/s"), x(start = 0, fixed = true) "Integral";
  Saltus.Blocks.Limiter engine(uMax = Fmax, uMin = 0);
equation
  engine.u = k * (target - v + x);
  T * der(x) = if engine.u > Fmax then 0 else target - v "Does not wind up";
  m * der(v) = engine.y - c * v ^ 2;
  annotation(experiment(StopTime = 120));
end CruiseControl;
