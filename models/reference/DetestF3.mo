model DetestF3 "DETEST F3: the right-hand side has a kink whenever time is an integer"
  constant Real pi = 3.14159265358979323846;
  Real y1(start = 0, fixed = true), y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = 0.01 * y2 * (1 - y1 ^ 2) - y1 - abs(sin(pi * time));
  annotation(experiment(StopTime = 20, Tolerance = 1e-10));
end DetestF3;
