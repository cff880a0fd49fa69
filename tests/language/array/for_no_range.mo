model M
  Real x;
equation
  for i loop
    x = 1;
  end for;
end M;
// expect error: 4:7 the range of 'i' cannot be found: it is not used as a subscript
