model A
equation
  x = (1
initial equation
  y = 2;
equation
  z = (
algorithm
  w := 1;
end A;
// expect error: 4:1 expected ')' to match '(', found keyword 'initial'
// expect error: 8:1 expected an expression, found keyword 'algorithm'
