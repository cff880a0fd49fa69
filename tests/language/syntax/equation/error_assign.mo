model A
equation
  x := 1;
  (a, b) := f(x);
  y = 2;
end A;
// expect error: 3:5 an equation is written with '='; ':=' assigns, in an algorithm
// expect error: 4:10 an equation is written with '='; ':=' assigns, in an algorithm
