model M
  Boolean b = true;
  Real x = der(b);
end M;
// expect error: 3:16 the argument of 'der' must be Real, but this is Boolean
