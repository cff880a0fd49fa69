function f
  input Real x;
  output Real y;
algorithm
  y := inStream(x);
end f;
model M
  Real x = f(time);
end M;
// expect error: 5:8 'inStream' cannot be used in a function
