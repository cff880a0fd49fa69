model Wave "x = cos(w t)"
  parameter Real w = 2;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -w * y;
  der(y) = w * x;
end Wave;
