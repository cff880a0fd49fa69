model WaveString "A plucked string: the wave equation by the method of lines"
  parameter Integer n = 20 "Inner points";
  parameter Real c = 1 "Speed of waves", dx = 1 / (n + 1);
  Real u[n](start = {min(k, n + 1 - k) / (n + 1) for k in 1:n}, each fixed = true);
  Real v[n](each start = 0, each fixed = true);
  Real energy;
equation
  der(u) = v;
  for k in 1:n loop
    der(v[k]) = (c / dx) ^ 2 * ((if k < n then u[k + 1] else 0) - 2 * u[k]
                                + (if k > 1 then u[k - 1] else 0));
  end for;
  energy = dx * (v * v) / 2 + c ^ 2 / (2 * dx)
    * (u[1] ^ 2 + u[n] ^ 2 + sum((u[k + 1] - u[k]) ^ 2 for k in 1:n - 1));
  annotation(experiment(StopTime = 4));
end WaveString;
