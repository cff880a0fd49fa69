model Divider "Two capacitors in series on a source whose voltage steps"
  Real u1(start = 0, fixed = true), u2, i;
equation
  1*der(u1) = i;
  3*der(u2) = i;
  u1 + u2 = if time < 1 then 0 else 12;
  annotation(experiment(StopTime = 2));
end Divider;
