model Track "A pendulum in Cartesian coordinates, whose pivot moves with a constant speed from 1 on"
  Real pivot = if time < 1 then 0 else 0.5*(time - 1);
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, force;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*(x - pivot);
  der(v) = -force*y - 9.81;
  (x - pivot)^2 + y^2 = 1;
end Track;
