model BouncingBall "The floor throws it back"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real e = 0.7 "coefficient of restitution";
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 3, fixed = true) "speed, upwards";
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 5));
end BouncingBall;
