model M
  Real s = sum(i for i in 1:1000000000);
end M;
// expect error: 2:27 the range has too many values
