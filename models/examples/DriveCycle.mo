model DriveCycle "A car follows a table of speeds, interpolated in a function; the energy it needs"
  function interpolate "Straight lines between the points of a table"
    input Real x[:], y[size(x, 1)], at;
    output Real value;
  protected
    Integer k;
  algorithm
    k := 1;
    while k < size(x, 1) - 1 and at > x[k + 1] loop
      k := k + 1;
    end while;
    value := y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
  end interpolate;
  parameter Real t[5] = {0, 10, 30, 35, 50}, v[5] = {0, 15, 15, 20, 0};
  parameter Real m = 1000, c(unit = "kg/m") = 0.4 "Drag";
  Real speed = noEvent(interpolate(t, v, time)), way(start = 0, fixed = true);
  Real drag(start = 0, fixed = true) "Energy lost to the air";
equation
  der(way) = speed;
  der(drag) = c * speed ^ 3;
  when {time > 10, time > 30, time > 35} then
    reinit(way, pre(way)) "A step ends where the slope changes";
  end when;
  annotation(experiment(StopTime = 50));
end DriveCycle;
