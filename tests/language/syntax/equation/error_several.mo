// Independent mistakes are all reported, each once.
model A
  Real x y;
  Real z = (1 + ;
equation
  x = 1 +;
  y = f(1, 2;
  z = {1, 2;
  w = ) + 1;
  v = 2;
end A;
// expect error: 3:10 expected ';' behind the declaration, found identifier 'y'
// expect error: 4:17 expected an expression, found ';'
// expect error: 6:10 expected an expression, found ';'
// expect error: 7:13 expected ')' behind the arguments, found ';'
// expect error: 8:12 expected '}' to match '{', found ';'
// expect error: 9:7 expected an expression, found ')'
