// Arguments by name, in another order, left to their defaults.
function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := x*p;
  annotation(inverse(x = g(p, y = y), p = h(y, x)));
end f;
function g
  input Real p;
  input Integer n = 1;
  input Real y;
  output Real x;
algorithm
  x := y/p;
end g;
function h
  input Real y;
  input Real x;
  input Integer n = 1;
  output Real p;
algorithm
  p := y/x;
end h;
model M
  Real x;
equation
  2 + time = f(x, 3);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real p;
//   output Real y;
// algorithm
//   y := x*p;
//   annotation(inverse(x = g(p, y = y)), inverse(p = h(y, x)));
// end f;
// function g
//   input Real p;
//   input Integer n = 1;
//   input Real y;
//   output Real x;
// algorithm
//   x := y/p;
// end g;
// function h
//   input Real y;
//   input Real x;
//   input Integer n = 1;
//   output Real p;
// algorithm
//   p := y/x;
// end h;
// model M
//   Real x;
// equation
//   2.0 + time = f(x, 3.0);
// end M;
