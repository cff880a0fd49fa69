type A = enumeration(a, b, );
type B = enumeration(1, 2);
type C = enumeration;
// expect error: 1:28 expected the name of a literal, found ')'
// expect error: 2:22 expected the name of a literal, found number 1
// expect error: 3:21 expected '(' behind 'enumeration', found ';'
