model A
equation
  x = (1 + 2;
  x = 1 + 2);
  x = ((1);
  x = (a b);
  x = 2;
end A;
// expect error: 3:13 expected ')' to match '(', found ';'
// expect error: 4:12 expected ';' behind the equation, found ')'
// expect error: 5:11 expected ')' to match '(', found ';'
// expect error: 6:10 expected ')' to match '(', found identifier 'b'
