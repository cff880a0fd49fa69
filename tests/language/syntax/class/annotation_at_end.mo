model A
  Real x;
equation
  x = 1;
  annotation(
    experiment(StopTime = 1, Tolerance = 1e-6),
    Documentation(info = "<html><p>\"quoted\"</p></html>"),
    Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics = {}),
    __Saltus(anything = true),
    Evaluate);
end A;
