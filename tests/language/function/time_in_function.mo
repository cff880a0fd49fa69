function f
  input Real x;
  output Real y = x*time;
algorithm
end f;
model M
  Real y = f(2);
end M;
// expect error: 3:21 'time' cannot be used in a function: make it an input
