model RelaxationOscillator "A comparator charges and discharges a capacitor between two thresholds"
  import Saltus.Electrical.*;
  parameter Real Vmax = 12, R = 1e4, C = 1e-7, share = 0.5 "of the output, fed back";
  Resistor resistor(R = R);
  Capacitor capacitor(C = C, v(start = 0, fixed = true));
  SignalVoltage comparator(u = relay.y);
  Ground ground;
  Saltus.Blocks.Relay relay(uLow = -share * Vmax, uHigh = share * Vmax, yOff = Vmax, yOn = -Vmax);
equation
  relay.u = capacitor.v;
  connect(comparator.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(capacitor.n, ground.p);
  connect(comparator.n, ground.p);
  annotation(experiment(StopTime = 0.01));
end RelaxationOscillator;
