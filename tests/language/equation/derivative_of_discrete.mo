model M
  Integer n = 1;
  Real x = der(n);
end M;
// expect error: 3:16 'n' is discrete and has no derivative
