model A
equation
  x == 1;
  y = 2;
end A;
// expect error: 3:5 an equation is written with '='; '==' compares
