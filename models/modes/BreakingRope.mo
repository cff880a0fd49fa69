model BreakingRope "A pendulum on a rope that breaks: index 3, then free fall"
  parameter Real l = 2 "length of the rope";
  parameter Real m = 1.5, g = 9.81;
  parameter Real strength = 30 "force at which the rope breaks";
  Real x(start = l), y(start = 0, fixed = true);
  Real u(start = 0), v(start = 0, fixed = true);
  Real tension "force of the rope, for each unit of length";
  Boolean broken(start = false, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  m * der(u) = -tension * x;
  m * der(v) = -tension * y - m * g;
  if broken then
    tension = 0;
  else
    x ^ 2 + y ^ 2 = l ^ 2;
  end if;
  when tension * l > strength then
    broken = true;
  end when;
  annotation(experiment(StopTime = 1.5));
end BreakingRope;
