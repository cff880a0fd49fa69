model Ball
  parameter Real g = 9.81;
  Real h(start = 1), v;
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    bounces = pre(bounces) + 0.5;
  end when;
end Ball;
