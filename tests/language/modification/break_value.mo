model A
  parameter Real p = 1;
  Real x = 2;
end A;
model M
  A a(x = break);
equation
  a.x = time;
end M;
// expect warning: 6:5 component 'a' of type 'A' is not balanced by itself: it has 1 unknown and 0 equations
// expect flat:
// model M
//   parameter Real 'a.p' = 1.0;
//   Real 'a.x';
// equation
//   'a.x' = time;
// end M;
