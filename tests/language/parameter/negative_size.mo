model M
  parameter Integer n = -1;
  Real x[n] = fill(0, n);
end M;
// expect error: 3:10 an array cannot have size -1
