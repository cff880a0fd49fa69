model EnzymeKinetics "Michaelis and Menten: a substrate is used up"
  parameter Real Vmax = 2, Km = 0.5;
  Real s(start = 3, fixed = true), p(start = 0, fixed = true);
equation
  der(s) = -Vmax * s / (Km + s);
  der(p) = -der(s);
  annotation(experiment(StopTime = 4));
end EnzymeKinetics;
