model M
  Real x[3];
equation
  for i in 3 loop
    x[i] = 1;
  end for;
end M;
// expect error: 4:12 a loop needs a vector of values, but this is Integer
