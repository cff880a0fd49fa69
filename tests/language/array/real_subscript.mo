model M
  Real x[3] = {1, 2, 3};
  Real y = x[1.5];
end M;
// expect error: 3:14 a subscript must be an Integer or a vector of Integers, but this is Real
