model M
  Real y = sum(1 for i in 1:10000, j in 1:10000, k in 1:10000);
end M;
// expect error: 2:12 loops have more than 25000000 iterations in all: here about 1e+12
