model CoupledMasses "A chain of masses and springs in its slowest mode"
  import Saltus.Translational.*;
  parameter Integer n = 5 "Masses";
  constant Real pi = 3.14159265358979323846;
  Mass mass[n](each m = 1, s(start = {sin(k * pi / (n + 1)) for k in 1:n}, each fixed = true),
               each v(start = 0, fixed = true));
  Spring spring[n + 1](each c = 100);
  Fixed left, right;
equation
  connect(left.flange, spring[1].a);
  for k in 1:n loop
    connect(spring[k].b, mass[k].a);
    connect(mass[k].b, spring[k + 1].a);
  end for;
  connect(spring[n + 1].b, right.flange);
  annotation(experiment(StopTime = 5));
end CoupledMasses;
