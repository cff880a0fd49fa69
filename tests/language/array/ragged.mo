model M
  Real x[2, 2] = {{1, 2}, {3}};
end M;
// expect error: 2:27 the elements of an array must have one shape, but there are Integer[2] and Integer[1]
