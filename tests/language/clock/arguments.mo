model M
  parameter Real p = 2;
  Integer n;
  Real a = sample(time, 1, 2);
  Clock b = Clock("x");
  Clock c = Clock(true, false);
  Real d = subSample(time, p);
  Real e = subSample(time, -1);
  Real f = shiftSample(time, 1, 0);
  Real g = previous(time + 1);
  Clock h = Clock(n, 0);
end M;
// expect error: 4:12 'sample' takes at most 2 arguments, but 3 are given
// expect error: 5:19 the argument of 'Clock' must be an interval or a condition, but this is String
// expect error: 6:25 the start interval of 'Clock' must be Real, but this is Boolean
// expect error: 7:28 the factor of 'subSample' must be Integer, but this is Real
// expect error: 8:28 the factor of 'subSample' must be at least 0, but it is -1
// expect error: 9:33 the resolution of a shift in time must be at least 1, but it is 0
// expect error: 10:21 the argument of 'previous' must be a variable
// expect error: 11:22 the resolution of 'Clock' must be at least 1, but it is 0
