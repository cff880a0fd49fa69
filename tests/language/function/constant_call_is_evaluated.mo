function f
  input Real a;
  input Real b = 2*a;
  output Real y;
algorithm
  y := 10*a + b;
end f;
model M
  constant Real c = f(1);
  constant Real d = f(b = 1, a = 2);
  Real x = c*time;
  Real y = d*time;
end M;
// expect flat:
// model M
//   constant Real c = 12.0;
//   constant Real d = 21.0;
//   Real x;
//   Real y;
// equation
//   x = 12.0*time;
//   y = 21.0*time;
// end M;
