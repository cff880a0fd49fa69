model M
  Real x = sample(time, Clock(1, 10));
  Real y = sample(time, Clock(1, 5));
  Real z = x + y;
end M;
// expect error: 3:25 the clock of 'y' would be this one and another
