model TrafficLight "Red, red and amber, green, amber: a machine of one Integer"
  parameter Real durations[4] = {20, 2, 15, 3};
  Integer phase(start = 1, fixed = true);
  discrete Real next(start = durations[1], fixed = true);
  Boolean red, amber, green;
  Real greenTime(start = 0, fixed = true);
equation
  when time >= pre(next) then
    phase = mod(pre(phase), 4) + 1;
    next = pre(next) + (if phase == 1 then durations[1] elseif phase == 2 then durations[2]
                        elseif phase == 3 then durations[3] else durations[4]);
  end when;
  red = phase <= 2;
  green = phase == 3;
  amber = phase == 2 or phase == 4;
  der(greenTime) = if green then 1 else 0;
  annotation(experiment(StopTime = 200));
end TrafficLight;
