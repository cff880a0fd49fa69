model Rolling "A torque turns a wheel that rolls and pulls a cart"
  Saltus.Rotational.Inertia wheel(J = 0.5, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Saltus.Translational.Rolling tyre(r = 0.3);
  Saltus.Translational.Mass cart(m = 20);
  Saltus.Rotational.ConstantTorque drive(tau = 6);
equation
  connect(drive.flange, wheel.a);
  connect(wheel.b, tyre.axle);
  connect(tyre.flange, cart.a);
  annotation(experiment(StopTime = 4));
end Rolling;
