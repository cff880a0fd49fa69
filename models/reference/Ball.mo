model Ball "A ball that loses three tenths of its speed in each impact"
  parameter Real g = 9.81, e = 0.7;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e * pre(v));
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end Ball;
