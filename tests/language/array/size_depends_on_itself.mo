model M
  parameter Integer n = size(x, 1);
  Real x[n];
end M;
// expect error: 3:8 the type or the size of 'x' depends on itself
// expect error: 3:10 an array size must be known before the run: the value of 'n' is wrong
