model A
  import B.;
  import C.{x, };
  import D.**;
  import E.{};
  import = F;
  import G.H = I;
end A;
// expect error: 2:12 expected the name of a class or package, found ';'
// expect error: 3:16 expected the name of a class, found '}'
// expect error: 4:13 expected ';' behind the declaration, found '*'
// expect error: 5:13 expected the name of a class, found '}'
// expect error: 6:10 expected the name of a class or package, found '='
// expect error: 7:14 expected ';' behind the declaration, found '='
