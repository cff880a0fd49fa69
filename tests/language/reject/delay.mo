model M
  Real x = time;
  Real y = delay(x, 1);
end M;
// expect error: 3:12 'delay' is not supported
