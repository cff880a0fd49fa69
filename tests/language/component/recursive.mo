model A
  Real x = 1;
  A a;
end A;
// expect error: 3:3 component 'a' of type 'A' contains itself
