model OverflowTank "A tank that can run over: while it does, its level is no state"
  parameter Real area = 2, height = 1, outlet = 0.5 "outflow for each unit of level";
  Real h(start = 0.2, fixed = true) "level";
  Real inflow = if time < 5 then 1 else 0.1;
  Real outflow = outlet * h;
  Real spill "what runs over";
  Real spilt(start = 0, fixed = true) "all of it";
  Real balance(start = 0, fixed = true) "what came in and did not go out";
  Boolean full(start = false, fixed = true);
equation
  area * der(h) = inflow - outflow - spill;
  der(spilt) = spill;
  der(balance) = inflow - outflow;
  if full then
    h = height;
  else
    spill = 0;
  end if;
  when h > height then
    full = true;
  elsewhen spill < 0 then
    full = false;
  end when;
  annotation(experiment(StopTime = 20));
end OverflowTank;
