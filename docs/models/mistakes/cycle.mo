model Cycle "Two states that leave each other at once"
  model Idle
    Real t(start = 0);
  equation
    der(t) = 1;
  end Idle;
  Idle a, b;
equation
  initialState(a);
  transition(a, b, time > 1);
  transition(b, a, time > 0.5);
  annotation(experiment(StopTime = 2));
end Cycle;
