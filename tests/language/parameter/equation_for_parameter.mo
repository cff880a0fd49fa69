model M
  parameter Real p = 1;
  Real x = time;
equation
  p = 2;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 1 unknown and 2 equations; 1 equation too many
