model M
  Real s = sum(fill(1.0, 1000000, 1000000));
end M;
// expect error: 2:16 an array with more than 25000000 elements
