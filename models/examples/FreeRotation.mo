model FreeRotation "A body thrown into the air turns around its middle axis: it tumbles"
  parameter Real J[3] = {1, 2, 3};
  Real w[3](start = {0.01, 1, 0}, each fixed = true);
  Real energy, momentum "Squared";
equation
  J[1] * der(w[1]) = (J[2] - J[3]) * w[2] * w[3];
  J[2] * der(w[2]) = (J[3] - J[1]) * w[3] * w[1];
  J[3] * der(w[3]) = (J[1] - J[2]) * w[1] * w[2];
  energy = sum(J[k] * w[k] ^ 2 for k in 1:3) / 2;
  momentum = sum((J[k] * w[k]) ^ 2 for k in 1:3);
  annotation(experiment(StopTime = 50, Tolerance = 1e-9));
end FreeRotation;
