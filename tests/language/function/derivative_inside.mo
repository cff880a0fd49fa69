function f
  input Real x;
  output Real y;
algorithm
  y := der(x);
end f;
model M
  Real y = f(1);
end M;
// expect error: 5:8 'der' cannot be used in a function
