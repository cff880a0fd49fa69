model RelayLoop "On-off control of a lag: a limit cycle whose period is known"
  import Saltus.Blocks.*;
  Relay relay(uLow = -0.2, uHigh = 0.2, on_start = true);
  FirstOrder plant(k = 1, T = 2);
  Gain minus(k = -1);
equation
  connect(plant.y, minus.u);
  connect(minus.y, relay.u);
  connect(relay.y, plant.u);
  annotation(experiment(StopTime = 20));
end RelayLoop;
