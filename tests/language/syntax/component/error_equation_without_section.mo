model A
  Real x;
  x = 1;
  der(x) = 2;
  connect(a, b);
  assert(x > 1, "text");
end A;
// expect error: 3:3 expected a declaration, found identifier 'x'
