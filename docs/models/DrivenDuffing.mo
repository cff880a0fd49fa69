model DrivenDuffing "A buckled beam that is shaken: two wells, and chaos between them"
  parameter Real gamma = 0.5 "amplitude of the shaking", omega = 1.2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = x - x ^ 3 - 0.3 * v + gamma * cos(omega * time);
  annotation(experiment(StopTime = 640));
end DrivenDuffing;
