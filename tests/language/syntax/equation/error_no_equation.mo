model A
equation
  x;
  x + y;
  "text";
  3;
  y = 1;
end A;
// expect error: 3:4 expected '=' in the equation, found ';'
// expect error: 4:8 expected '=' in the equation, found ';'
// expect error: 5:9 expected '=' in the equation, found ';'
// expect error: 6:4 expected '=' in the equation, found ';'
