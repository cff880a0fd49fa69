model M
  Real x[2000000000];
end M;
// expect error: 2:10 an array of size 2000000000 is too large
