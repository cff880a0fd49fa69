model RestingBall "A ball bounces until it is slow, then it lies"
  inner parameter Real g = 9.81;
  parameter Real restitution = 0.5;
  parameter Real slow = 1e-3 "a ball that hits the floor more slowly than this stays there";
  model Flying
    outer output Real h, v;
    outer parameter Real g;
  equation
    der(h) = v;
    der(v) = -g;
  end Flying;
  model Lying "The floor holds it"
    outer output Real h, v;
    outer parameter Real g;
    Real floor "acceleration by the floor";
  equation
    der(h) = v;
    der(v) = floor - g;
    h = 0;
  end Lying;
  inner Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Flying flying;
  Lying lying;
  Integer bounces(start = 0, fixed = true);
equation
  when h < 0 and v < -slow then
    reinit(v, -restitution * pre(v));
    bounces = pre(bounces) + 1;
  end when;
  initialState(flying);
  transition(flying, lying, h < 0 and v < 0 and v >= -slow);
  annotation(experiment(StopTime = 3));
end RestingBall;
