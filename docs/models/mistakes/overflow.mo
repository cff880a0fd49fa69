model Overflow
  Integer n(start = 1, fixed = true);
equation
  when sample(1, 1) then
    n = 1000*pre(n);
  end when;
  annotation(experiment(StopTime = 10));
end Overflow;
