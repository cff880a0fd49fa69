model Rocket "Two stages in empty space: the first is dropped when its fuel is used up"
  parameter Real ve(unit = "m/s") = 3000 "Speed of the exhaust", rate(unit = "kg/s") = 100;
  parameter Real empty[2](each unit = "kg") = {1000, 500} "Stages without fuel";
  parameter Real fuel[2](each unit = "kg") = {8000, 2000}, payload(unit = "kg") = 300;
  Real m(start = sum(empty) + sum(fuel) + payload, fixed = true, unit = "kg") "Mass";
  Real v(start = 0, fixed = true, unit = "m/s"), h(start = 0, fixed = true, unit = "m");
  Integer stage(start = 1, fixed = true) "3: no fuel left";
equation
  der(m) = if stage < 3 then -rate else 0;
  m * der(v) = if stage < 3 then ve * rate else 0;
  der(h) = v;
  when m <= empty[1] + empty[2] + fuel[2] + payload then
    stage = 2;
    reinit(m, empty[2] + fuel[2] + payload);
  elsewhen m <= empty[2] + payload then
    stage = 3;
  end when;
  annotation(experiment(StopTime = 120));
end Rocket;
