model HeatExchanger "Counterflow heat exchanger in cells, until it is steady"
  parameter Integer n = 10 "Cells";
  parameter Real mc(unit = "W/K") = 100 "Heat capacity flow of both streams";
  parameter Real C(unit = "J/K") = 200 "Heat capacity of each stream, all cells";
  parameter Real UA(unit = "W/K") = 300 "Conductance of the wall, all cells";
  parameter Real Thot(unit = "K") = 360, Tcold(unit = "K") = 300 "Inlet temperatures";
  Real h[n](each start = 300, each fixed = true, each unit = "K") "Hot stream, from its inlet on";
  Real c[n](each start = 300, each fixed = true, each unit = "K") "Cold stream, same places";
equation
  for k in 1:n loop
    C / n * der(h[k]) = mc * ((if k == 1 then Thot else h[k - 1]) - h[k]) - UA / n * (h[k] - c[k]);
    C / n * der(c[k]) = mc * ((if k == n then Tcold else c[k + 1]) - c[k]) + UA / n * (h[k] - c[k]);
  end for;
  annotation(experiment(StopTime = 100));
end HeatExchanger;
