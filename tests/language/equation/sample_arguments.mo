model M
  Real x = time;
  Boolean b = sample(0, x);
end M;
// expect error: 3:25 the arguments of 'sample' must not change during a run
