model Thermostat "A room heated with hysteresis"
  parameter Real low = 19, high = 21, outside = 5, tau = 100, power = 0.3;
  Real T(start = 15, fixed = true);
  Boolean on(start = true, fixed = true);
  Integer switches(start = 0, fixed = true);
equation
  der(T) = (outside - T) / tau + (if on then power else 0);
  on = T < low or pre(on) and T <= high;
  when change(on) then
    switches = pre(switches) + 1;
  end when;
  annotation(experiment(StopTime = 500));
end Thermostat;
