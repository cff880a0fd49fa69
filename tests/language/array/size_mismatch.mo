model M
  Real x[3] = {1, 2, 3};
  Real y[2] = {1, 2};
  Real z[3] = x + y;
end M;
// expect error: 4:15 '+' cannot be applied to Real[3] and Real[2]
