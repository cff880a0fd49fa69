model Inverse "The temperature of a gas whose enthalpy is known"
  function enthalpy "Shomate equation without its last terms: kJ/mol over T"
    input Real T(unit = "K");
    output Real h(unit = "kJ/mol");
  protected
    Real t = T/1000;
  algorithm
    h := 28.99*t + 0.93*t^2 - 8.67;
    annotation(inverse(T = temperature(h)));
  end enthalpy;
  function temperature
    input Real h(unit = "kJ/mol");
    output Real T(unit = "K");
  algorithm
    T := 1000*(sqrt(28.99^2 + 4*0.93*(h + 8.67)) - 28.99)/(2*0.93);
  end temperature;
  Real h(unit = "kJ/mol", start = 0, fixed = true);
  Real T(unit = "K");
  Real loss(unit = "kJ/(mol.s)");
  parameter Real k(unit = "kJ/(mol.s.K)") = 0.001;
equation
  der(h) = 2 - loss;
  h = enthalpy(T);
  loss = k*(T - 298.15);
end Inverse;
