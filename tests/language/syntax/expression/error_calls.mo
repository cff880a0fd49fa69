model A
equation
  x = f(a = 1, 2);
  x = f(1, );
  x = f(, 1);
  x = f(1 2);
  x = f(1, x for i in 1:2);
  x = der;
  x = der y;
  x = f(x for i in 1:2, 3);
  x = f(function g(1));
  x = 2;
end A;
// expect error: 3:16 expected the name of an argument, found number 2
// expect error: 4:12 expected an expression, found ')'
// expect error: 5:9 expected an expression, found ','
// expect error: 6:11 expected ')' behind the arguments, found number 2
// expect error: 7:14 expected ')' behind the arguments, found keyword 'for'
// expect error: 8:10 expected '(' before the arguments, found ';'
// expect error: 9:11 expected '(' before the arguments, found identifier 'y'
// expect error: 10:25 expected the name of an iterator, found number 3
// expect error: 11:20 expected the name of an argument, found number 1
