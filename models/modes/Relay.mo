model Relay "A double integrator under a relay: the sliding mode is a mode"
  parameter Real c = 1 "on the switching line v = -c x";
  model Full "The relay at one of its ends"
    parameter Real value;
    outer output Real u;
  equation
    u = value;
  end Full;
  model Sliding "Between them: whatever keeps s at zero"
    outer output Real u;
    outer Real s;
  equation
    s = 0;
  end Sliding;
  Real x(start = 3, fixed = true), v(start = 0, fixed = true);
  inner Real u(start = 0) "between -1 and 1";
  inner Real s = v + c * x;
  Full down(value = -1), up(value = 1);
  Sliding sliding;
equation
  der(x) = v;
  der(v) = u;
  initialState(down);
  transition(down, sliding, s < 0);
  transition(up, sliding, s > 0);
  transition(sliding, up, u > 1, priority = 1);
  transition(sliding, down, u < -1, priority = 2);
  annotation(experiment(StopTime = 6));
end Relay;
