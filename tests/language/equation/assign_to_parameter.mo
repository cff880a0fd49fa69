model M
  parameter Real p = 1;
algorithm
  p := 2;
end M;
// expect error: 4:3 'p' cannot be assigned to: it is a parameter
