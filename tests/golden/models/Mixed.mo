// SPDX-License-Identifier: MIT
//
// Loops of everything: nonlinear, linear, discrete Reals, delays, tables of values, several clocks.
model Mixed
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 2), q(start = 1), p[3], r;
  discrete Real level(start = 0, fixed = true), mean(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
  Real late, far;
  parameter Real table[4] = {0.5, 0.1, -0.3, 0.9};
equation
  der(x) = -y + 0.2 * table[mod(k, 4) + 1];
  der(y) = x - 0.1 * y ^ 3 + 0.05 * late;
  z ^ 3 + z = x + 3;
  q * q + sin(q) * z = 4 + y ^ 2;
  {{2, 1, 0}, {1, 3, x}, {0, 1, 4}} * p = {x, y, 1};
  r = max(p) - min(p) + abs(x);
  late = delay(x, 0.4);
  far = smooth(0, if x > 0 then x else 0) + noEvent(if y > 0 then y else -y);
  when {x > 0.5, sample(0.25, 0.5)} then
    k = pre(k) + 1;
    level = 0.5 * pre(level) + x + 0.1 * mean;
  end when;
  when time > 1 + 0.7 * pre(k) then
    mean = (pre(mean) + pre(level)) / 2;
  end when;
  annotation(experiment(StopTime = 6));
end Mixed;
