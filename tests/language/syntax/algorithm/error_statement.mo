function f
algorithm
  x;
  x + 1;
  connect(a, b);
  der(x) := 1;
  (a, b + 1) := g(x);
  (a, b) := 3;
  g(x) := 2;
  x := ;
  y := 1;
end f;
// expect error: 3:4 expected ':=' or '(' in the statement, found ';'
// expect error: 4:5 expected ':=' or '(' in the statement, found '+'
// expect error: 5:3 'connect' is an equation and cannot stand in an algorithm
// expect error: 6:3 a derivative cannot be assigned to; it needs an equation, der(x) = ...
// expect error: 7:7 an output is assigned to a variable, not to an expression
// expect error: 8:13 expected the name of a function, found number 3
// expect error: 9:3 the result of a call cannot be assigned to
// expect error: 10:8 expected an expression, found ';'
