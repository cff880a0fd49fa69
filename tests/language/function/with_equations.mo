function f
  input Real x;
  output Real y;
equation
  y = x;
end f;
model M
  Real y = f(1);
end M;
// expect error: 4:1 a function cannot have equations
