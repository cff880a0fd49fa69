// Section 3.7.4.
model M
  constant Integer n = 1;
  Real x = der(n);
end M;
// expect error: 4:12 the argument of 'der' must be Real, but this is Integer
