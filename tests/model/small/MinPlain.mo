model M
  Real u(start=0.13, fixed=true), v(start=0, fixed=true), y = min(0, u);
equation
  der(u) = -0.5;
  der(v) = if y < 0 then 1 else 0;
  annotation(experiment(StopTime = 2));
end M;
