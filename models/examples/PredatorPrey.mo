model PredatorPrey "Lotka and Volterra: two species"
  parameter Real a = 1.5, b = 1, c = 3, d = 1;
  Real prey(start = 10, fixed = true);
  Real predators(start = 5, fixed = true);
  Real invariant "constant along every solution";
equation
  der(prey) = prey * (a - b * predators);
  der(predators) = predators * (d * prey - c);
  invariant = d * prey - c * log(prey) + b * predators - a * log(predators);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end PredatorPrey;
