model A
  a.b = 1;
  c[2] := 3;
  Real x;
end A;
// expect error: 2:7 expected the name of a component behind its type 'a', found '='
// expect error: 3:8 expected the name of a component behind its type 'c', found ':='
