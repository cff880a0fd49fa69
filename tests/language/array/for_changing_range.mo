model M
  Integer n = integer(time);
  Real x[3];
equation
  for i in 1:n loop
    x[i] = 1;
  end for;
end M;
// expect error: 5:14 the range must be known before the run: 'n' is not a parameter
