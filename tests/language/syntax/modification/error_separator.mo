model A
  B b(x = 1; y = 2);
  B c(x = 1 y = 2);
  B d(x = 1,, y = 2);
  B e(x = 1, );
  Real z;
end A;
// expect error: 2:12 arguments are separated by ',', not ';'
// expect error: 3:13 expected ')' behind the modifiers, found identifier 'y'
// expect error: 4:13 expected the name of what is modified, found ','
// expect error: 5:14 expected the name of what is modified, found ')'
