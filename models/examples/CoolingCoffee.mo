model CoolingCoffee "Coffee, cup and room: two heat capacities in a row"
  import Saltus.Thermal.*;
  HeatCapacitor coffee(C = 800, T(start = 363.15, fixed = true));
  HeatCapacitor cup(C = 200, T(start = 293.15, fixed = true));
  Conductor wall(G = 5), air(G = 1);
  FixedTemperature room(T = 293.15);
equation
  connect(coffee.port, wall.a);
  connect(wall.b, cup.port);
  connect(cup.port, air.a);
  connect(air.b, room.port);
  annotation(experiment(StopTime = 3600));
end CoolingCoffee;
