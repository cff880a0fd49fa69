model SteadyStart "Initial equations: a tank that begins in equilibrium"
  parameter Real inflow = 2, k = 0.5, area = 1;
  Real h(start = 1), outflow;
initial equation
  der(h) = 0;
equation
  area * der(h) = inflow * (if time < 1 then 1 else 0.5) - outflow;
  outflow = k * sqrt(h);
  annotation(experiment(StopTime = 50));
end SteadyStart;
