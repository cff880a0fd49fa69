model Clocked "A motor with a sampled PI controller, and a slow supervisor"
  parameter Real J = 0.5, k = 4, T = 0.5;
  Real w(start = 0, fixed = true) "Speed: continuous";
  Clock c = Clock(1, 10) "Ten ticks a second";
  Real speed, error, integral(start = 0), torque "On clock c";
  Real wanted "On every fifth tick of it";
equation
  J * der(w) = hold(torque) - 0.2 * w;
  speed = sample(w, c);
  error = superSample(wanted) - speed;
  integral = previous(integral) + error * interval() / T;
  torque = k * (error + integral);
  wanted = if subSample(speed, 5) < 0.5 then 1 else 0.8;
  annotation(experiment(StopTime = 2));
end Clocked;
