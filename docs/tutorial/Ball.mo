model Ball "A ball is thrown upwards"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 3, fixed = true) "speed, upwards";
equation
  der(h) = v;
  der(v) = -g;
  annotation(experiment(StopTime = 1));
end Ball;
