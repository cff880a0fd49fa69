model M
  Real a = sin();
  Real b = sin(1, 2);
  Real c = atan2(time);
  Real d = max();
  Real e = mod(1);
  Boolean g = sample();
  Real h = der();
  Real i = pre(a, b);
  Real j[:] = cross({1, 2, 3});
  Real k = noEvent();
  Boolean l = initial(1);
end M;
// expect error: 10:15 'cross' takes 2 arguments, but 1 is given
// expect error: 2:12 'sin' takes 1 argument, but 0 are given
// expect error: 3:12 'sin' takes 1 argument, but 2 are given
// expect error: 4:12 'atan2' takes 2 arguments, but 1 is given
// expect error: 5:12 'max' takes at least 1 argument, but 0 are given
// expect error: 6:12 'mod' takes 2 arguments, but 1 is given
// expect error: 7:15 'sample' takes at least 1 argument, but 0 are given
// expect error: 8:12 'der' takes 1 argument, but 0 are given
// expect error: 9:12 'pre' takes 1 argument, but 2 are given
// expect error: 11:12 'noEvent' takes 1 argument, but 0 are given
// expect error: 12:15 'initial' takes 0 arguments, but 1 is given
