model A
equation
  x = if a then b;
  x = if a then b elseif c then d;
  x = 1 + if a then b else c;
  x = if a b else c;
  x = 2;
end A;
// expect error: 3:18 expected 'else' in the if-expression, which needs a value for every case, found ';'
// expect error: 4:34 expected 'else' in the if-expression, which needs a value for every case, found ';'
// expect error: 5:11 an if-expression needs parentheses behind an operator
// expect error: 6:12 expected 'then' behind the condition, found identifier 'b'
