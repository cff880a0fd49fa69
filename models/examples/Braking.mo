model Braking "A brake stops a flywheel and holds it against a torque until it is released"
  import Saltus.Rotational.*;
  Inertia wheel(J = 2, phi(start = 0, fixed = true), w(start = 30, fixed = true));
  Brake brake(tau_max = 50, clutch(mode(start = 2)));
  ConstantTorque drive(tau = 10);
equation
  brake.pressure = if time < 1 then 0 elseif time < 4 then 0.8 else 0;
  connect(drive.flange, wheel.a);
  connect(wheel.b, brake.flange);
  annotation(experiment(StopTime = 5));
end Braking;
