model A
  B b(model M = N);
  B c(redeclare model M end M);
  B d(encapsulated model M = N, y = 2);
  B e(redeclare encapsulated model M = N);
end A;
// expect error: 2:7 a class in a modifier needs 'redeclare' or 'replaceable' before it
// expect error: 3:25 expected '=', found keyword 'end'; a class in a modifier has the form model M = A
// expect error: 4:7 a class in a modifier needs 'redeclare' or 'replaceable' before it
// expect error: 4:7 'encapsulated' cannot stand in a modifier
// expect error: 5:17 'encapsulated' cannot stand in a modifier
