model M
  Boolean b = sample(0, 0);
end M;
// expect error: 2:25 the interval of 'sample' must be positive
