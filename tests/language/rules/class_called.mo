// Section 4.5.1: a class is not a function, whatever it is defined by.
function f
  input Real u;
  output Real y;
algorithm
  y := u;
end f;
class g = f;
model M
  Real x = g(1);
end M;
// expect error: 10:12 'g' is a class and cannot be called: 'function g = ...' can
