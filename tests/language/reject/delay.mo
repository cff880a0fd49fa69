model M
  Real x = time;
  Real a = delay(x, -1);
  Real b = delay(x, x);
  Real c = delay(x, 1, x);
  Real d = delay(x, x, x);
  Real e = delay(x, true);
  Real f = delay(x);
end M;
// expect error: 3:21 the time of 'delay' must not be negative
// expect error: 4:21 the time of 'delay' must not change during a run, unless the longest one is given, too
// expect error: 5:24 the longest time of 'delay' must not change during a run
// expect error: 6:24 the longest time of 'delay' must not change during a run
// expect error: 7:21 the time of 'delay' must be Real, but this is Boolean
// expect error: 8:12 'delay' takes at least 2 arguments, but 1 is given
