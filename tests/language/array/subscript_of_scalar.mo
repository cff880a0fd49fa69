model M
  Real x = 1;
  Real y = x[1];
end M;
// expect error: 3:12 'x' is not an array and cannot have subscripts
