model NerveCell "A nerve cell after Hodgkin and Huxley fires while a current flows"
  parameter Real C = 1, gNa = 120, gK = 36, gL = 0.3, ENa = 50, EK = -77, EL = -54.387;
  Real V(start = -65, fixed = true) "Membrane, in mV";
  Real m(start = 0.05293248525724958, fixed = true), h(start = 0.5961207535084603, fixed = true);
  Real n(start = 0.3176769140606974, fixed = true) "Gates";
  Real I "Current into the cell";
  Integer spikes(start = 0, fixed = true);
equation
  C * der(V) = I - gNa * m ^ 3 * h * (V - ENa) - gK * n ^ 4 * (V - EK) - gL * (V - EL);
  der(m) = 0.1 * (V + 40) / (1 - exp(-(V + 40) / 10)) * (1 - m) - 4 * exp(-(V + 65) / 18) * m;
  der(h) = 0.07 * exp(-(V + 65) / 20) * (1 - h) - h / (1 + exp(-(V + 35) / 10));
  der(n) = 0.01 * (V + 55) / (1 - exp(-(V + 55) / 10)) * (1 - n) - 0.125 * exp(-(V + 65) / 80) * n;
  I = if time < 5 then 0 elseif time < 30 then 10 else 0;
  when V > 0 then
    spikes = pre(spikes) + 1;
  end when;
  annotation(experiment(StopTime = 50));
end NerveCell;
