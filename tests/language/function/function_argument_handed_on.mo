// A function of a function of a function.
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
function twice
  extends F;
  input F f;
algorithm
  y := f(f(x));
end twice;
function outside
  input F f;
  input Real x;
  output Real y;
algorithm
  y := g(f, x) + g(function twice(f = f), x);
end outside;
function h
  extends F;
  input Real k;
algorithm
  y := k*x;
end h;
function rebind
  input G f;
  output Real y;
algorithm
  y := g(function f(k = 2), 1);
end rebind;
partial function G
  extends F;
  input Real k;
end G;
model M
  Real a = outside(function h(k = 3), time);
  Real b = time + rebind(h);
end M;
// expect flat:
// function outside
//   input Real x;
//   input Real 'f.k';
//   output Real y;
// algorithm
//   y := g(x, 'f.k') + g_2(x, 'f.k');
// end outside;
// function g
//   input Real x;
//   input Real 'f.k';
//   output Real y;
// algorithm
//   y := h(x, 'f.k');
// end g;
// function h
//   input Real x;
//   input Real k;
//   output Real y;
// algorithm
//   y := k*x;
// end h;
// function g_2
//   input Real x;
//   input Real 'f.f.k';
//   output Real y;
// algorithm
//   y := twice(x, 'f.f.k');
// end g_2;
// function twice
//   input Real x;
//   input Real 'f.k';
//   output Real y;
// algorithm
//   y := h(h(x, 'f.k'), 'f.k');
// end twice;
// function rebind
//   output Real y;
// algorithm
//   y := g(1.0, 2.0);
// end rebind;
// model M
//   Real a;
//   Real b;
// equation
//   a = outside(time, 3.0);
//   b = time + rebind();
// end M;
