model M
  Real x = 1 if 1;
end M;
// expect error: 2:17 a condition must be Boolean, but this is Integer
