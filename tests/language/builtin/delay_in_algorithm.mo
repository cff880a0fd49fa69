model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
algorithm
  y := delay(x, 0.5);
end M;
// expect error: 6:8 'delay' cannot be used in an algorithm, whose variables change from statement to statement; give the delayed value to a variable in an equation
