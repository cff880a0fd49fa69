model Valve "A mode with one equation too few"
  Real p(start = 1, fixed = true), q, r;
  Boolean open = time < 1;
equation
  der(p) = -q;
  r = p;
  if open then
    q = 2 * r;
  else
    r = p;
  end if;
  annotation(experiment(StopTime = 2));
end Valve;
