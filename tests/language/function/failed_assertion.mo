function f
  input Integer n;
  output Integer m;
algorithm
  assert(n > 0, "n must be positive, but is " + String(n));
  m := n;
end f;
model M
  Real y[f(-1)];
end M;
// expect error: 9:10 an array size must be known before the run: an assertion failed: n must be positive, but is -1
// expect note: 5:3 here
