// SPDX-License-Identifier: MIT
//
// Parts that nothing connects: each is run by itself, and the next event of all comes first.
model Parts
  model Ball
    parameter Real e = 0.7, h0 = 1;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 then
      reinit(v, -e * pre(v));
      n = pre(n) + 1;
    end when;
  end Ball;
  model Heater
    parameter Real low = 19, T0 = 20;
    Real T(start = T0, fixed = true);
    Boolean on(start = false, fixed = true);
  equation
    der(T) = if on then 4 - 0.1 * T else -0.1 * (T - 5);
    on = T < low or pre(on) and T < low + 1.5;
  end Heater;
  model Clocked
    parameter Real period = 0.1;
    discrete Real x(start = 1, fixed = true);
  equation
    when sample(0, period) then
      x = 0.9 * pre(x) + 0.1 * sin(time);
    end when;
  end Clocked;
  Ball balls[7](each e = 0.7, h0 = {1.0, 0.9, 0.5, 1.3, 0.8, 0.55, 1.7});
  Heater heaters[3](low = {19, 18.4, 19.2});
  Clocked clocked[2](period = {0.1, 0.15});
  annotation(experiment(StopTime = 1.3));
end Parts;
