function f
  input Real x;
  output Real y = x^2;
algorithm
end f;
function g = der(f, x);
model M
  Real y = g(time);
end M;
// expect error: 8:12 'g' is a partial derivative of a function, which is not supported
// expect note: 6:10 it is declared here
