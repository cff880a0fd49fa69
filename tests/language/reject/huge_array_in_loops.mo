model M
  parameter Integer n = 8000;
  Real x[n, n];
equation
  for i in 1:n loop
    for j in 1:n loop
      x[i, j] = time;
    end for;
  end for;
end M;
// expect error: 3:8 array 'x' has more than 25000000 elements
