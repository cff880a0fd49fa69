model Gearbox "A gear is shifted without a clutch: the speeds jump, and the impulse of the torque says how"
  parameter Real J1 = 0.2 "inertia of the engine, kg.m2";
  parameter Real J2 = 1.5 "inertia of the car, kg.m2";
  parameter Real shift = 1 "s";
  Real w1(start = 300, fixed = true) "rad/s";
  Real w2 "rad/s";
  Real t1, t2 "torques of the gear on both sides, impulses when it is shifted";
  Boolean second;
equation
  second = time >= shift;
  J1*der(w1) = 10 - t1;
  J2*der(w2) = t2 - 5;
  if second then
    w1 = 2*w2;
    t2 = 2*t1;
  else
    w1 = 3.5*w2;
    t2 = 3.5*t1;
  end if;
  annotation(experiment(StopTime = 2));
end Gearbox;
