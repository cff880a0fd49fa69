model Rocket "Two stages: the lower one is dropped when it is empty, with the state of its fuel"
  parameter Real structure1 = 500, structure2 = 80 "empty stages";
  parameter Real payload = 50;
  inner parameter Real u = 2500 "speed of the exhaust";
  model Lower "Both stages"
    outer output Real v;
    outer Real total;
    outer parameter Real u;
    parameter Real q = 40 "fuel that is burnt in a second";
    Real fuel(start = 4000);
  equation
    der(fuel) = -q;
    total * der(v) = u * q;
  end Lower;
  model Upper
    outer output Real v;
    outer Real total;
    outer parameter Real u;
    parameter Real q = 5;
    Real fuel(start = 400);
  equation
    der(fuel) = -q;
    total * der(v) = u * q;
  end Upper;
  model Coasting
    outer output Real v;
  equation
    der(v) = 0;
  end Coasting;
  inner Real v(start = 0, fixed = true) "speed";
  inner Real total "mass";
  Lower lower;
  Upper upper;
  Coasting coasting;
equation
  total = payload + structure2 + upper.fuel + (if activeState(lower) then structure1 + lower.fuel else 0);
  initialState(lower);
  transition(lower, upper, lower.fuel < 0);
  transition(upper, coasting, upper.fuel < 0);
  annotation(experiment(StopTime = 200));
end Rocket;
