function f
algorithm
  x = 1;
  y == 2;
  (a, b) = g(x);
  z := 3;
end f;
// expect error: 3:5 an assignment is written with ':=', not '='
// expect error: 4:5 an assignment is written with ':=', not '=='
// expect error: 5:10 an assignment is written with ':=', not '='
