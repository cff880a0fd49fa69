model BinaryCounter "Four flip-flops count the ticks of a clock"
  parameter Real period = 0.1;
  constant Integer weight[4] = {1, 2, 4, 8};
  Boolean bit[4](each start = false, each fixed = true);
  Integer value;
equation
  when sample(period, period) then
    bit[1] = not pre(bit[1]);
  end when;
  for k in 2:4 loop
    when not bit[k - 1] then
      bit[k] = not pre(bit[k]);
    end when;
  end for;
  value = sum(if bit[k] then weight[k] else 0 for k in 1:4);
  annotation(experiment(StopTime = 2.55));
end BinaryCounter;
