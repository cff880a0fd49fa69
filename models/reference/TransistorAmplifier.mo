model TransistorAmplifier "Two transistor stages; derivatives only in differences: index 1"
  constant Real pi = 3.14159265358979323846;
  parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000;
  parameter Real C[5] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
  Real y[8](start = {0, 3, 3, 6, 3, 3, 6, 0},
            fixed = {false, true, true, false, true, true, false, true});
  Real Ue = 0.1 * sin(200 * pi * time) "Signal", g1, g2 "Currents of the transistors";
equation
  g1 = beta * (exp((y[2] - y[3]) / UF) - 1);
  g2 = beta * (exp((y[5] - y[6]) / UF) - 1);
  C[1] * (der(y[2]) - der(y[1])) = (y[1] - Ue) / R0;
  C[1] * (der(y[1]) - der(y[2])) = (2 * y[2] - Ub) / R + (1 - alpha) * g1;
  -C[2] * der(y[3]) = y[3] / R - g1;
  C[3] * (der(y[5]) - der(y[4])) = (y[4] - Ub) / R + alpha * g1;
  C[3] * (der(y[4]) - der(y[5])) = (2 * y[5] - Ub) / R + (1 - alpha) * g2;
  -C[4] * der(y[6]) = y[6] / R - g2;
  C[5] * (der(y[8]) - der(y[7])) = (y[7] - Ub) / R + alpha * g2;
  C[5] * (der(y[7]) - der(y[8])) = y[8] / R;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-10));
end TransistorAmplifier;
