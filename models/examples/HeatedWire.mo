model HeatedWire "A wire warms up, so its resistance grows, so it takes less power"
  import Saltus.Electrical.*;
  import Saltus.Thermal.*;
  ConstantVoltage source(V = 10);
  HeatingResistor wire(R = 10, alpha = 0.004, T0 = 300);
  Ground ground;
  HeatCapacitor mass(C = 2, T(start = 300, fixed = true));
  Conductor air(G = 0.1);
  FixedTemperature room(T = 300);
equation
  connect(source.p, wire.p);
  connect(wire.n, source.n);
  connect(source.n, ground.p);
  connect(wire.port, mass.port);
  connect(mass.port, air.a);
  connect(air.b, room.port);
  annotation(experiment(StopTime = 400));
end HeatedWire;
