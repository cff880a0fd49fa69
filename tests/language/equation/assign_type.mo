model M
  Integer n;
algorithm
  n := 1.5;
end M;
// expect error: 4:8 the value assigned to 'n' must be Integer, but this is Real
