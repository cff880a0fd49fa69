model DestroyedCapacitor "A capacitor that breaks down at a voltage and is a small resistor then"
  // After S. E. Mattsson, M. Otter, H. Elmqvist: Multi-mode DAE systems with varying index,
  // Modelica Conference 2015.
  parameter Real E = 10 "V, of the source";
  parameter Real R = 1 "Ohm, in series";
  parameter Real C = 1 "F";
  parameter Real Vmax = 6 "V, at which it breaks down";
  parameter Real Rd = 0.01 "Ohm, of what is left of it";
  Real v(start = 0, fixed = true) "over the capacitor";
  Real i "current";
  Boolean broken(start = false, fixed = true);
equation
  E = R*i + v;
  broken = pre(broken) or v >= Vmax;
  if broken then
    v = Rd*i;
  else
    C*der(v) = i;
  end if;
  annotation(experiment(StopTime = 2));
end DestroyedCapacitor;
