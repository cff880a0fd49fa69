model Epidemic "Kermack and McKendrick: susceptible, infected, recovered"
  parameter Real beta = 0.5 "Contacts per day", gamma = 0.2 "Recoveries per day";
  Real S(start = 0.999, fixed = true), I(start = 0.001, fixed = true), R(start = 0, fixed = true);
  Real invariant "Constant along every solution";
  discrete Real peak(start = 0, fixed = true) "Of the infected";
equation
  der(S) = -beta * S * I;
  der(I) = beta * S * I - gamma * I;
  der(R) = gamma * I;
  invariant = S + I - gamma / beta * log(S);
  when beta * S < gamma then
    peak = I;
  end when;
  annotation(experiment(StopTime = 100));
end Epidemic;
