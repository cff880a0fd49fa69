model A
  Real x[];
  Real y[1;
  Real z[1, ];
  Real w;
end A;
// expect error: 2:10 expected an expression, found ']'
// expect error: 3:11 expected ']' behind the subscripts, found ';'
// expect error: 4:13 expected an expression, found ']'
