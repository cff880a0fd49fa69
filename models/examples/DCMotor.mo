model DCMotor "Motor with gearbox and load at a voltage step"
  import Saltus.Electrical.*;
  import Saltus.Rotational.*;
  StepVoltage source(V = 24);
  Resistor winding(R = 0.5);
  Inductor coil(L = 0.01, i(start = 0, fixed = true));
  Motor motor(k = 0.1);
  Inertia rotor(J = 1e-3, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Gear gear(ratio = 10);
  Inertia load(J = 0.4);
  Damper bearing(d = 0.2);
  Saltus.Rotational.Fixed housing;
  Ground ground;
equation
  connect(source.p, winding.p);
  connect(winding.n, coil.p);
  connect(coil.n, motor.p);
  connect(motor.n, source.n);
  connect(source.n, ground.p);
  connect(motor.flange, rotor.a);
  connect(rotor.b, gear.a);
  connect(gear.b, load.a);
  connect(load.b, bearing.b);
  connect(bearing.a, housing.flange);
  annotation(experiment(StopTime = 2));
end DCMotor;
