partial function Base
  input Real x;
  output Real y;
end Base;
function f
  extends Base;
  input Real k = 2;
algorithm
  y := k*x;
end f;
function g = f(k = 5);
model M
  Real y = f(time) + g(time);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real k = 2.0;
//   output Real y;
// algorithm
//   y := k*x;
// end f;
// function g
//   input Real x;
//   input Real k = 5.0;
//   output Real y;
// algorithm
//   y := k*x;
// end g;
// model M
//   Real y;
// equation
//   y = f(time, 2.0) + g(time, 5.0);
// end M;
