model Harvest "Fish grow by the logistic law; once a year some are caught"
  parameter Real r = 1, K = 100, catch = 20;
  Real fish(start = 50, fixed = true);
  Real caught(start = 0, fixed = true);
equation
  der(fish) = r * fish * (1 - fish / K);
  der(caught) = 0;
  when sample(1, 1) then
    reinit(fish, pre(fish) - catch);
    reinit(caught, pre(caught) + catch);
  end when;
  annotation(experiment(StopTime = 10.5));
end Harvest;
