model DetestF1 "DETEST F1: the right-hand side jumps whenever time is an integer"
  constant Real pi = 3.14159265358979323846;
  parameter Real a = 0.1;
  Real y1(start = 0, fixed = true), y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = 2 * a * y2 - (pi ^ 2 + a ^ 2) * y1 + (if mod(time, 2) < 1 then 1 else -1);
  annotation(experiment(StopTime = 20, Tolerance = 1e-10));
end DetestF1;
