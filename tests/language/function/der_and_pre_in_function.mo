function f
  input Real x;
  output Real y;
algorithm
  y := der(x);
end f;
function g
  input Real x;
  output Real y;
algorithm
  y := pre(x);
end g;
model M
  Real y = f(time);
  Real z = g(time);
end M;
// expect error: 5:8 'der' cannot be used in a function
// expect error: 11:8 'pre' cannot be used in a function
