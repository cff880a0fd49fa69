model Launch "An entry that leaves a state open"
  model Wait
    Real count(start = 0);
  equation
    der(count) = 1;
  end Wait;
  model Fly
    Real h, v;
  equation
    der(h) = v;
    der(v) = -9.81;
  end Fly;
  Wait wait;
  Fly fly;
equation
  initialState(wait);
  transition(wait, fly, wait.count > 1, reset = false);
  when activeState(fly) then
    reinit(fly.h, 2);
  end when;
  annotation(experiment(StopTime = 2));
end Launch;
