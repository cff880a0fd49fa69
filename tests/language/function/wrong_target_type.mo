function f
  input Real x;
  output Integer y;
algorithm
  y := x;
end f;
model M
  Real y = f(time);
end M;
// expect error: 5:8 the value assigned to 'y' must be Integer, but this is Real
