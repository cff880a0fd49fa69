function f
  input Real x;
  output Real y;
protected
  Real t = x^2;
  Real u[2] = {t, 2*t};
  constant Real k = 3;
  parameter Integer n = 2;
algorithm
  y := k*(u[1] + u[n]);
end f;
model M
  constant Real c = f(2);
  Real y = f(time) + c;
end M;
// expect flat:
// function f
//   input Real x;
//   output Real y;
//   protected Real t = x^2.0;
//   protected Real u[2] = {t, 2.0*t};
//   protected Real k = 3.0;
//   protected Integer n = 2;
// algorithm
//   y := k*(u[1] + u[n]);
// end f;
// model M
//   constant Real c = 36.0;
//   Real y;
// equation
//   y = f(time) + 36.0;
// end M;
