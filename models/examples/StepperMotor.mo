model StepperMotor "A stepper motor: the field turns in steps, the rotor follows"
  parameter Real J = 1e-4, d = 5e-3, k = 0.05, steps = 20 "Steps per turn", period = 0.1;
  constant Real pi = 3.14159265358979323846;
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
  Integer count(start = 0, fixed = true);
equation
  der(phi) = w;
  J * der(w) = -d * w - k * sin(steps / 4 * (phi - 2 * pi * count / steps));
  when sample(period, period) then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 2.09));
end StepperMotor;
