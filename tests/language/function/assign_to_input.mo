function f
  input Real x;
  output Real y;
algorithm
  x := 1;
  y := x;
end f;
model M
  Real y = f(1);
end M;
// expect error: 5:3 'x' cannot be assigned to: it is an input of the function
