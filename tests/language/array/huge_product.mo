model M
  Real x[100000, 100000];
end M;
// expect error: 2:8 array 'x' has more than 25000000 elements
