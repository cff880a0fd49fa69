model IdealClutch "Two inertias that a clutch joins for a while: angular momentum is kept"
  parameter Real J1 = 1 "kg.m2";
  parameter Real J2 = 3 "kg.m2";
  parameter Real closing = 1 "s";
  parameter Real opening = 2 "s";
  Real w1(start = 1, fixed = true) "rad/s";
  Real w2(start = 5, fixed = true) "rad/s";
  Real tau "torque in the clutch, an impulse when it closes";
  Boolean locked;
equation
  locked = time >= closing and time < opening;
  J1*der(w1) = tau;
  J2*der(w2) = -tau;
  if locked then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 3));
end IdealClutch;
