model A
equation
  connect(a);
  connect(a, b, c);
  connect a, b;
  connect(a + b, c);
  connect(a, b)
end A;
// expect error: 3:12 expected ',' between the two connectors, found ')'
// expect error: 4:15 expected ')' behind the two connectors, found ','
// expect error: 5:11 expected '(' behind 'connect', found identifier 'a'
// expect error: 6:13 expected ',' between the two connectors, found '+'
// expect error: 7:16 missing ';' behind the equation
