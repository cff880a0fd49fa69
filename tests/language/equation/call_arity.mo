model M
  Real x = sin(1, 2);
  Real y = atan2(1);
end M;
// expect error: 2:12 'sin' takes 1 argument, but 2 are given
// expect error: 3:12 'atan2' takes 2 arguments, but 1 is given
