function f
  input Real x = f(1);
  output Real y;
algorithm
  y := x;
end f;
model M
  Real y = f(time);
end M;
// expect error: 2:18 'f' is called by the declaration of one of its own variables
