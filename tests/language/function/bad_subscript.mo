function f
  input Real v[:];
  output Integer n;
algorithm
  n := integer(v[3]);
end f;
model M
  Real y[f({1, 2})];
end M;
// expect error: 8:10 an array size must be known before the run: subscript 3 is not between 1 and 2
// expect note: 5:18 here
