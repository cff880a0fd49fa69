package Lookup
  function interpolate "Linear between the points of a table"
    input Real x[:], y[size(x, 1)];
    input Real u;
    output Real v;
  protected
    Integer i = 1;
  algorithm
    assert(u >= x[1] and u <= x[end], "the argument is outside of the table");
    while i < size(x, 1) - 1 and u > x[i + 1] loop
      i := i + 1;
    end while;
    v := y[i] + (y[i + 1] - y[i]) * (u - x[i]) / (x[i + 1] - x[i]);
  end interpolate;

  model Pump "A pump by its curve fills a tank"
    parameter Real head[4] = {0, 1, 2, 3};
    parameter Real rate[4] = {4, 3, 1.5, 0.5};
    Real level(start = 0, fixed = true);
  equation
    der(level) = interpolate(head, rate, level);
    annotation(experiment(StopTime = 3));
  end Pump;
end Lookup;
