model CartPendulum "A pendulum below a cart that rolls freely: index 3, with a rod as constraint"
  parameter Real g = 9.81, L = 1, M = 2 "of the cart", m = 1 "of the bob";
  Real s(start = 0, fixed = true), u(start = 0, fixed = true) "Cart";
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy "Bob";
  Real F "Force of the rod per length";
  Real momentum "Horizontal: constant", energy "Constant";
equation
  der(s) = u;
  der(x) = vx;
  der(y) = vy;
  M * der(u) = F * (x - s);
  m * der(vx) = -F * (x - s);
  m * der(vy) = -F * y - m * g;
  (x - s) ^ 2 + y ^ 2 = L ^ 2;
  momentum = M * u + m * vx;
  energy = M / 2 * u ^ 2 + m / 2 * (vx ^ 2 + vy ^ 2) + m * g * y;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end CartPendulum;
