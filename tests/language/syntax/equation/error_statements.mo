model A
equation
  while true loop
    x = 1;
  end while;
  break;
  return;
  y = 2;
end A;
// expect error: 3:3 'while' is a statement and stands only in an algorithm
// expect error: 6:3 'break' is a statement and stands only in an algorithm
// expect error: 7:3 'return' is a statement and stands only in an algorithm
