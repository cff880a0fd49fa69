model A
equation
  x = ;
  x = 1 + ;
  x = * 2;
  x = a and ;
  x = a ** b;
  = 3;
  x = 2;
end A;
// expect error: 3:7 expected an expression, found ';'
// expect error: 4:11 expected an expression, found ';'
// expect error: 5:7 expected an expression, found '*'
// expect error: 6:13 expected an expression, found ';'
// expect error: 7:10 expected an expression, found '*'
// expect error: 8:3 expected an expression, found '='
