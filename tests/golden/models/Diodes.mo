// SPDX-License-Identifier: MIT
//
// A multiplier of voltages, of ideal diodes with a small resistance: conditions that depend on each other.
model Diodes
  parameter Integer n = 6;
  Real vd[n], id[n], s[n];
  Real u[n](each start = 0, each fixed = true);
  Real w[n + 1];
  Boolean off[n](each start = true);
equation
  w[1] = 5 * sin(6.2831853 * time);
  for i in 1:n loop
    vd[i] = w[i] - w[i + 1] - 0.3 * id[i];
    off[i] = s[i] < 0;
    vd[i] = if off[i] then s[i] else 1e-3 * s[i];
    id[i] = if off[i] then 1e-6 * s[i] else s[i];
    der(u[i]) = (id[i] - (if i < n then id[i + 1] else 0) - 0.01 * u[i]) / (0.1 * i);
    w[i + 1] = u[i];
  end for;
  annotation(experiment(StopTime = 2));
end Diodes;
