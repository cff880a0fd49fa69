model FigureEight "Three bodies of equal mass follow each other on an eight"
  Real x[3](start = {0.97000436, -0.97000436, 0}, each fixed = true);
  Real y[3](start = {-0.24308753, 0.24308753, 0}, each fixed = true);
  Real u[3](start = {0.93240737 / 2, 0.93240737 / 2, -0.93240737}, each fixed = true);
  Real v[3](start = {0.86473146 / 2, 0.86473146 / 2, -0.86473146}, each fixed = true);
  Real energy;
protected
  Real r[3] = {sqrt((x[1] - x[2]) ^ 2 + (y[1] - y[2]) ^ 2),
               sqrt((x[2] - x[3]) ^ 2 + (y[2] - y[3]) ^ 2),
               sqrt((x[3] - x[1]) ^ 2 + (y[3] - y[1]) ^ 2)} "Distances";
equation
  der(x) = u;
  der(y) = v;
  der(u[1]) = (x[2] - x[1]) / r[1] ^ 3 + (x[3] - x[1]) / r[3] ^ 3;
  der(u[2]) = (x[3] - x[2]) / r[2] ^ 3 + (x[1] - x[2]) / r[1] ^ 3;
  der(u[3]) = (x[1] - x[3]) / r[3] ^ 3 + (x[2] - x[3]) / r[2] ^ 3;
  der(v[1]) = (y[2] - y[1]) / r[1] ^ 3 + (y[3] - y[1]) / r[3] ^ 3;
  der(v[2]) = (y[3] - y[2]) / r[2] ^ 3 + (y[1] - y[2]) / r[1] ^ 3;
  der(v[3]) = (y[1] - y[3]) / r[3] ^ 3 + (y[2] - y[3]) / r[2] ^ 3;
  energy = (u * u + v * v) / 2 - 1 / r[1] - 1 / r[2] - 1 / r[3];
  annotation(experiment(StopTime = 6.32591398, Tolerance = 1e-10));
end FigureEight;
