model M
  Real x[2] = {1, 2};
  Integer n = size(x, 2);
end M;
// expect error: 3:23 Real[2] has no dimension 2
