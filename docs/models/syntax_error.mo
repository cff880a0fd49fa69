model Ball
  parameter Real g = 9.81
  Real h(start = 1), v;
equation
  der(h) = v;
  der(v) = -g;
end Ball;
