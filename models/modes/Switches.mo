model Switches "Circuits that have nothing to do with each other, each with a switch of its own"
  model Circuit "A source and a resistor feed a capacitor that cannot fill, through a switch"
    parameter Real w = 1 "Angular frequency of the switch";
    Boolean closed = sin(w*time) > 0;
    Real u "Voltage of the switch", i "Its current";
    Real q(start = 0, fixed = true) "Charge that has passed";
  equation
    u + 2*i = 10;
    der(q) = i;
    if closed then
      u = 0;
    else
      i = 0;
    end if;
  end Circuit;
  parameter Integer n = 20;
  Circuit c[n](w = {1 + 0.0371*k^2 for k in 1:n});
  Real total = sum(c.q);
  annotation(experiment(StopTime = 20));
end Switches;
