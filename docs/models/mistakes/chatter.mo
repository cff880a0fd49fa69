model Chatter
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  when x > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end Chatter;
