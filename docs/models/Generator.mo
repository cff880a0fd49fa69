model Generator "Random numbers from a product of 61 bits"
  Integer s(start = 12345, fixed = true);
  Real u = s/2147483647;
equation
  when sample(1, 1) then
    s = mod(1103515245*pre(s) + 12345, 2147483647);
  end when;
  annotation(experiment(StopTime = 3.5));
end Generator;
