model DiodeCircuit "A capacitor discharged through a diode with its exponential law"
  parameter Real Is = 1e-9, Vt = 0.025, R = 100, C = 1e-3;
  Real u(start = 5, fixed = true) "voltage of the capacitor";
  Real i, ud(start = 0.3);
equation
  C * der(u) = -i;
  u = R * i + ud;
  i = Is * (exp(ud / Vt) - 1);
  annotation(experiment(StopTime = 0.5));
end DiodeCircuit;
