function f
  input Integer n;
  output Integer m;
algorithm
  m := div(1, n);
end f;
model M
  Real y[f(0)];
end M;
// expect error: 8:10 an array size must be known before the run: division by zero
// expect note: 5:8 here
