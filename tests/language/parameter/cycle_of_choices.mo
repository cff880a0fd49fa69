function f
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end f;
model M
  parameter Boolean useA = true;
  parameter Real a = if useA then 1 else f(b);
  parameter Real b = if useA then f(a) else 2;
end M;
// expect flat:
// function f
//   input Real x;
//   output Real y;
// algorithm
//   y := 2.0*x;
// end f;
// model M
//   parameter Boolean useA = true;
//   parameter Real a = 1.0;
//   parameter Real b = f(a);
// end M;
