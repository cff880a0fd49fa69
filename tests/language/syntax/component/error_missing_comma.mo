model A
  Real x y;
  Real z;
end A;
// expect error: 2:10 expected ';' behind the declaration, found identifier 'y'
