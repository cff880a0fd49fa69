model A
  Real x;
  Real y;
equation
  x = 1;
end A;
model M
  A a;
  Real z = 1;
end M;
// expect error: 7:7 model 'M' is not balanced: it has 3 unknowns and 2 equations; 1 equation is missing
// expect note: 8:5 component 'a' of type 'A' has 2 unknowns and 1 equation
// expect note: 3:8 'a.y' occurs in no equation
