model M
  Real x[3];
equation
  x = {1, 2};
end M;
// expect error: 4:3 the sides of the equation have different types: Real[3] and Integer[2]
