model Statechart "A machine in a state of another one, with history, beside an independent one"
  model Counting "Counts seconds"
    Real age(start = 0);
  equation
    der(age) = 1;
  end Counting;
  model Working "Alternates between two states"
    Counting fast, slow;
    Boolean isFast = activeState(fast);
  equation
    initialState(fast);
    transition(fast, slow, fast.age > 1);
    transition(slow, fast, slow.age > 2);
  end Working;
  Working working;
  Counting pausing;
  Counting day, night;
  Boolean isWorking = activeState(working), isDay = activeState(day);
equation
  // pauses for a second, from 2.5 on in every four; then work goes on where it was left
  initialState(working);
  transition(working, pausing, mod(time, 4) > 2.5 and mod(time, 4) < 3.25);
  transition(pausing, working, timeInState() > 1, reset = false);
  initialState(day);
  transition(day, night, timeInState() > 1.75, immediate = false);
  transition(night, day, timeInState() > 1.25);
  annotation(experiment(StopTime = 8));
end Statechart;
