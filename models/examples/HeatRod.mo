model HeatRod "Heat equation on a rod by the method of lines"
  parameter Integer n = 40 "Inner points";
  constant Real pi = 3.14159265358979323846;
  parameter Real dx = 1 / (n + 1);
  Real T[n](start = {sin(pi * k / (n + 1)) for k in 1:n}, each fixed = true);
equation
  der(T[1]) = (T[2] - 2 * T[1]) / dx ^ 2;
  for k in 2:n - 1 loop
    der(T[k]) = (T[k + 1] - 2 * T[k] + T[k - 1]) / dx ^ 2;
  end for;
  der(T[n]) = (T[n - 1] - 2 * T[n]) / dx ^ 2;
  annotation(experiment(StopTime = 0.1));
end HeatRod;
