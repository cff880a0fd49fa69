model M
  Real x;
algorithm
  x := 1;
  break;
end M;
// expect error: 5:3 'break' can only be used in a loop
