model Shooting "How fast must the ball leave the ground to be 20 m high after 1 s?"
  parameter Real v0(fixed = false, start = 10) "found by the initialization";
  parameter Real g = 9.81;
  Real h(start = 0, fixed = true), v(start = v0, fixed = true);
initial equation
  v0 - g / 2 = 20; // h(1) = v0 1 - g/2 1^2
equation
  der(h) = v;
  der(v) = -g;
end Shooting;
