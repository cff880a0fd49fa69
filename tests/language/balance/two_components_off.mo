model A
  Real x, y;
equation
  x = 1;
end A;
model B
  Real x;
equation
  x = 1;
  x = 2;
  x = time;
end B;
model M
  A a;
  B b;
end M;
// expect error: 13:7 model 'M' is not balanced: it has 3 unknowns and 4 equations; 1 equation too many
// expect note: 14:5 component 'a' of type 'A' has 2 unknowns and 1 equation
// expect note: 15:5 component 'b' of type 'B' has 1 unknown and 3 equations
