model M
  Integer n = 4/2;
end M;
// expect error: 2:15 the binding of 'n' must be Integer, but this is Real
