model M
  parameter Integer n = size(x, 1);
  Real x[n];
end M;
// expect error: 3:10 an array size must be known before the run: 'n' depends on itself
