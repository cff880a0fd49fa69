model Cyclotron "A charged particle between two electrodes in a magnetic field"
  parameter Real w = 1 "Turns of the particle, in radians per second";
  parameter Real kick = 0.5 "Speed won in each passage of the gap";
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer passages(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = w * v;
  der(v) = -w * u;
  when v < 0 then
    reinit(u, pre(u) + kick);
    passages = pre(passages) + 1;
  elsewhen v > 0 then
    reinit(u, pre(u) - kick);
    passages = pre(passages) + 1;
  end when;
  annotation(experiment(StopTime = 20));
end Cyclotron;
