// A function by its name, by `function` without bound inputs, a built-in one.
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y;
algorithm
  y := f(1) + f(x = 2);
end g;
function h
  extends F;
algorithm
  y := x;
end h;
model M
  Real a = g(h) + time;
  Real b = g(f = function h()) + time;
  Real c = g(sin) + time;
end M;
// expect flat:
// function g
//   output Real y;
// algorithm
//   y := h(1.0) + h(2.0);
// end g;
// function h
//   input Real x;
//   output Real y;
// algorithm
//   y := x;
// end h;
// function g_2
//   output Real y;
// algorithm
//   y := sin_function(1.0) + sin_function(2.0);
// end g_2;
// function sin_function
//   input Real u;
//   output Real result;
// algorithm
//   result := sin(u);
// end sin_function;
// model M
//   Real a;
//   Real b;
//   Real c;
// equation
//   a = g() + time;
//   b = g() + time;
//   c = g_2() + time;
// end M;
