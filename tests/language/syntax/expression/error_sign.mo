model A
equation
  x = a * -b;
  x = a ^ -2;
  x = a + -b;
  x = - -a;
  x = a == not b;
  x = not not a;
end A;
// expect error: 3:11 a sign behind an operator needs parentheses, as in a * (-b)
// expect error: 4:11 a sign behind an operator needs parentheses, as in a * (-b)
// expect error: 5:11 a sign behind an operator needs parentheses, as in a * (-b)
// expect error: 6:9 a sign behind an operator needs parentheses, as in a * (-b)
// expect error: 7:12 'not' needs parentheses here, as in a == (not b)
// expect error: 8:11 'not' needs parentheses here, as in a == (not b)
