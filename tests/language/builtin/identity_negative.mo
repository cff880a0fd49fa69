model M
  Real a[:, :] = identity(-1);
  Real b[:] = linspace(0, 1, 1);
end M;
// expect error: 2:27 an array cannot have size -1
// expect error: 3:30 argument 3 of 'linspace' must be at least 2
