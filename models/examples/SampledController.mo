model SampledController "An integrating controller that samples every tenth of a second"
  parameter Real period = 0.1, gain = 1, setpoint = 1;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0, period) then
    u = pre(u) + gain * period * (setpoint - x);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 5));
end SampledController;
