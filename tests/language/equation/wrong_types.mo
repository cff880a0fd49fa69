model M
  Real x;
  Boolean b = true;
equation
  x = b;
end M;
// expect error: 5:3 the sides of the equation have different types: Real and Boolean
