model ClutchEngagement "A clutch closes: two shafts slip until their speeds are one"
  import Saltus.Rotational.*;
  Inertia engine(J = 1, phi(start = 0, fixed = true), w(start = 100, fixed = true));
  Inertia load(J = 3, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Clutch clutch(tau_max = 150, mode(start = 2));
  ConstantTorque drive(tau = 20);
  Saltus.Blocks.Ramp pressure(startTime = 0.5, duration = 1);
equation
  connect(drive.flange, engine.a);
  connect(engine.b, clutch.a);
  connect(clutch.b, load.a);
  connect(pressure.y, clutch.pressure);
  annotation(experiment(StopTime = 3));
end ClutchEngagement;
