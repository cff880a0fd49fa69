partial function F
  input Real x;
  output Real y;
end F;
function g
  input F f;
  output Real y;
algorithm
  y := f(1);
end g;
function h
  extends F;
algorithm
  y := x;
end h;
model M
  Real y = g(function h());
end M;
// expect error: 6:9 functions as arguments of functions are not supported
