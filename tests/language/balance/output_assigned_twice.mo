model M
  Real x = 1;
algorithm
  x := time;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 1 unknown and 2 equations; 1 equation too many
