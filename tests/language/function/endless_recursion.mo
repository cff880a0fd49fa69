function f
  input Integer x;
  output Integer n;
algorithm
  n := f(x + 1);
end f;
model M
  Real y[f(1)];
end M;
// expect error: 8:10 an array size must be known before the run: calls are nested more than 200 deep
// expect note: 5:8 here
