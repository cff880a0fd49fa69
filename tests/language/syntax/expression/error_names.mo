model A
equation
  x = a.;
  x = a..b;
  x = a.1;
  x = a.if;
  x = (a).;
  x = 2;
end A;
// expect error: 3:9 expected an identifier, found ';'
// expect error: 4:9 expected an identifier, found '.'
// expect error: 5:8 expected ';' behind the equation, found number .1
// expect error: 6:9 expected an identifier, but 'if' is a keyword
// expect error: 7:11 expected the name of a member, found ';'
