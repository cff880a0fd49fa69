model A
  Real x;
end A;
model M
  A a;
equation
  a.x = 1;
end M;
// expect warning: 5:5 component 'a' of type 'A' is not balanced by itself: it has 1 unknown and 0 equations
// expect flat:
// model M
//   Real 'a.x';
// equation
//   'a.x' = 1.0;
// end M;
