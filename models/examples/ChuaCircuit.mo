model ChuaCircuit "Chua's circuit: two capacitors, a coil and a nonlinear resistor make chaos"
  parameter Real alpha = 15.6, beta = 28, m0 = -8 / 7, m1 = -5 / 7;
  Real x(start = 0.7, fixed = true) "Voltage at the nonlinear resistor";
  Real y(start = 0, fixed = true) "Voltage at the other capacitor";
  Real z(start = 0, fixed = true) "Current of the coil";
  Real i "Current of the nonlinear resistor";
equation
  der(x) = alpha * (y - x - i);
  der(y) = x - y + z;
  der(z) = -beta * y;
  i = if x > 1 then m1 * x + m0 - m1 elseif x < -1 then m1 * x - m0 + m1 else m0 * x;
  annotation(experiment(StopTime = 20));
end ChuaCircuit;
