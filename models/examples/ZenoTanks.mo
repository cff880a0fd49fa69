model ZenoTanks "One tap for two tanks that leak: it switches faster and faster until both are empty"
  parameter Real inflow = 3, out1 = 2, out2 = 2 "Together more than the inflow";
  Real x1(start = 1, fixed = true), x2(start = 1, fixed = true);
  Boolean first(start = true, fixed = true) "Where the tap is";
equation
  der(x1) = (if first then inflow else 0) - out1;
  der(x2) = (if first then 0 else inflow) - out2;
  first = not (pre(first) and x2 <= 0 or not pre(first) and x1 > 0);
  annotation(experiment(StopTime = 3));
end ZenoTanks;
