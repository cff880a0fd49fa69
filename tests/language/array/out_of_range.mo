model M
  Real x[3] = {1, 2, 3};
  Real y = x[4];
end M;
// expect error: 3:14 subscript 4 is not between 1 and 3
