model M
  Real x = 1;
  Integer n = x;
end M;
// expect error: 3:15 the binding of 'n' must be Integer, but this is Real
