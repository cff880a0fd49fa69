model TimeEvents "Relations of time, whole numbers"
  parameter Real T = 0.75;
  Real x(start = 0, fixed = true);
  Real pulse, saw;
  Integer k;
equation
  pulse = if time >= T and time < 2 * T then 1 else 0;
  der(x) = pulse;
  k = integer(2 * time);
  saw = mod(time, 0.5);
  annotation(experiment(StopTime = 3));
end TimeEvents;
