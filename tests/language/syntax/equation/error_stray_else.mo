model A
equation
  x = 1;
  else
  y = 2;
end A;
// expect error: 4:3 'else' without 'if'
