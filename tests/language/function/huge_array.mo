function f
  input Integer n;
  output Integer s;
protected
  Real x[n];
algorithm
  s := size(x, 1);
end f;
model M
  Real y[f(2000000000)];
end M;
// expect error: 10:10 an array size must be known before the run: 'x' cannot have size 2000000000
// expect note: 5:8 here
