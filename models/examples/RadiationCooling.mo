model RadiationCooling "A hot body in space cools by radiation alone"
  import Saltus.Thermal.*;
  HeatCapacitor body(C = 1000, T(start = 1500, fixed = true));
  Radiation radiation(Gr = 0.01);
  FixedTemperature space(T = 0);
equation
  connect(body.port, radiation.a);
  connect(radiation.b, space.port);
  annotation(experiment(StopTime = 2000));
end RadiationCooling;
