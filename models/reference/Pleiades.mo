model Pleiades "Seven stars in the plane attract each other: smooth, with close encounters"
  constant Integer n = 7;
  Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true);
  Real y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
  Real u[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true);
  Real v[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
protected
  Real r3[n, n] = {{((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2) ^ 1.5 for j in 1:n} for i in 1:n};
equation
  der(x) = u;
  der(y) = v;
  for i in 1:n loop
    der(u[i]) = sum(if i == j then 0 else j * (x[j] - x[i]) / r3[i, j] for j in 1:n);
    der(v[i]) = sum(if i == j then 0 else j * (y[j] - y[i]) / r3[i, j] for j in 1:n);
  end for;
  annotation(experiment(StopTime = 3, Tolerance = 1e-10));
end Pleiades;
