// Section 12.2: a function has one algorithm.
function f
  input Real u;
  output Real y;
algorithm
  y := u;
algorithm
  y := 2*y;
end f;
model M
  Real y = f(1);
end M;
// expect error: 7:1 a function has one algorithm section, or is external; 'f' has another one before
