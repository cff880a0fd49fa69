model M
  Integer n = 3;
  Real x[n];
end M;
// expect error: 3:10 an array size must be known before the run: 'n' is not a parameter
