model M
  Real x = time;
equation
  assert(x > 1, "small", 2);
end M;
// expect error: 4:26 the level must be AssertionLevel, but this is Integer
