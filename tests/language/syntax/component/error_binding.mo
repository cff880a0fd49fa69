model A
  Real a == 1;
  Real b(start == 2);
  Real c = ;
  Real d(;
  Real e;
end A;
// expect error: 2:10 a value is given with '=', not '=='
// expect error: 3:16 a value is given with '=', not '=='
// expect error: 4:12 expected an expression, found ';'
// expect error: 5:10 expected the name of what is modified, found ';'
