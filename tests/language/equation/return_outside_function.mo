model M
  Real x;
algorithm
  x := 1;
  return;
end M;
// expect error: 5:3 'return' can only be used in a function
