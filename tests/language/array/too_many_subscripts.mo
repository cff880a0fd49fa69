model M
  Real x[3] = {1, 2, 3};
  Real y = x[1, 2];
end M;
// expect error: 3:12 'x' has 1 dimension, but 2 subscripts are given
