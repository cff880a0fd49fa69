model Cascade "Current, speed and position of a drive: three control loops, one inside the other"
  import Saltus.Electrical.*;
  import Saltus.Rotational.*;
  import Saltus.Blocks.*;
  SignalVoltage source;
  CurrentSensor current;
  Resistor winding(R = 1);
  Inductor coil(L = 0.01, i(start = 0, fixed = true));
  Motor motor(k = 0.5);
  Inertia load(J = 0.05, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Ground ground;
  Limiter speedLimit(uMax = 10), currentLimit(uMax = 5);
  PI currentControl(k = 5, T = 0.01);
  parameter Real target = 20;
equation
  speedLimit.u = 8 * (target - load.phi);
  currentLimit.u = 4 * (speedLimit.y - load.w);
  currentControl.u = currentLimit.y - current.y;
  connect(currentControl.y, source.u);
  connect(source.p, current.p);
  connect(current.n, winding.p);
  connect(winding.n, coil.p);
  connect(coil.n, motor.p);
  connect(motor.n, source.n);
  connect(source.n, ground.p);
  connect(motor.flange, load.a);
  annotation(experiment(StopTime = 5));
end Cascade;
