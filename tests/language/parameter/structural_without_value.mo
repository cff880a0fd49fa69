model M
  parameter Integer n;
  Real x[n] = fill(time, n);
end M;
// expect error: 3:10 an array size must be known before the run: 'n' has no value
