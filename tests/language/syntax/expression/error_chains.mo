model A
equation
  x = a < b < c;
  x = a ^ b ^ c;
  x = a == b == c;
  x = 1:2:3:4;
end A;
// expect error: 3:13 relations cannot follow each other; a < b < c is a < b and b < c
// expect error: 4:13 powers need parentheses: a^(b^c) and (a^b)^c are different
// expect error: 5:14 relations cannot follow each other; a < b < c is a < b and b < c
// expect error: 6:12 expected ';' behind the equation, found ':'
