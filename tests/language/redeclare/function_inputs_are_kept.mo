function f
  replaceable input Real x;
  output Real y;
algorithm
  y := x;
end f;
function g = f(redeclare Real x = 3.0);
model M
  parameter Real a = g(5);
  parameter Real b = g();
end M;
// expect flat:
// function g
//   input Real x = 3.0;
//   output Real y;
// algorithm
//   y := x;
// end g;
// model M
//   parameter Real a = g(5.0);
//   parameter Real b = g(3.0);
// end M;
