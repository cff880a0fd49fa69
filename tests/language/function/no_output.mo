function f
  input Real x;
algorithm
  assert(x > 0, "negative");
end f;
model M
  Real y = f(1);
end M;
// expect error: 7:12 function 'f' has no output to be used as a value
