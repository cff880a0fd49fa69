model M
  Real x;
equation
  for i in 1:10000 loop
    for j in 1:10000, k in 1:10000 loop
      x = i + j + k;
    end for;
  end for;
end M;
// expect error: 5:5 loops have more than 25000000 iterations in all: here about 1e+12
