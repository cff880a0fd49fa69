model Ball
  parameter Real gravity = 9.81;
  Real h(start = 1), v;
equation
  der(h) = v;
  der(v) = -gravty;
end Ball;
