model StateThatBegins "A variable that is given by an equation first, then becomes a state"
  Real a(start = 1, fixed = true);
  Real b;
equation
  der(a) = 2;
  if time < 1 then
    b = a;
  else
    der(b) = -1;
  end if;
  annotation(experiment(StopTime = 2));
end StateThatBegins;
