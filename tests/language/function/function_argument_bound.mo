// What is bound is handed on as further inputs; one function is made for all that differ only in
// the values.
partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  input Real x;
  output Real y;
algorithm
  y := f(x);
end g;
function h
  input Real a;
  input Real x;
  input Real b[:];
  output Real y;
algorithm
  y := a*x + sum(b);
end h;
model M
  parameter Real p = 2;
  Real q = g(function h(a = p, b = {1, time}), time);
  Real r = g(function h(b = {1, 2, 3}, a = 3), time);
end M;
// expect flat:
// function g
//   input Real x;
//   input Real 'f.a';
//   input Real 'f.b'[:];
//   output Real y;
// algorithm
//   y := h('f.a', x, 'f.b');
// end g;
// function h
//   input Real a;
//   input Real x;
//   input Real b[:];
//   output Real y;
// algorithm
//   y := a*x + sum(b);
// end h;
// model M
//   parameter Real p = 2.0;
//   Real q;
//   Real r;
// equation
//   q = g(time, p, {1.0, time});
//   r = g(time, 3.0, {1.0, 2.0, 3.0});
// end M;
