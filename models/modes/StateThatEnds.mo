model StateThatEnds "A variable that is a state first, then is given by an equation"
  Real x(start = 0, fixed = true);
equation
  if time < 0.5 then
    der(x) = 10;
  else
    x = -5;
  end if;
  annotation(experiment(StopTime = 1));
end StateThatEnds;
