model M
  Real x = time;
  Boolean b = x == 1;
end M;
// expect warning: 3:15 '==' of Reals that change: the moment when they are equal is not found; compare with '<' or '>'
// expect flat:
// model M
//   Real x;
//   Boolean b;
// equation
//   x = time;
//   b = x == 1.0;
// end M;
