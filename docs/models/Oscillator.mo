model Oscillator
  parameter Real m = 2, d = 0.4, k = 8;
  input Real F(start = 0);
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  output Real energy = 0.5 * k * x ^ 2 + 0.5 * m * v ^ 2;
equation
  der(x) = v;
  m * der(v) = F - k * x - d * v;
end Oscillator;
