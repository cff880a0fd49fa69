model A
  Real x, y;
equation
  x = 1;
end A;
model M
  A a[3];
end M;
// expect error: 6:7 model 'M' is not balanced: it has 6 unknowns and 3 equations; 3 equations are missing
// expect note: 7:5 component 'a[1]' of type 'A' has 2 unknowns and 1 equation
// expect note: 7:5 component 'a[2]' of type 'A' has 2 unknowns and 1 equation
// expect note: 7:5 component 'a[3]' of type 'A' has 2 unknowns and 1 equation
// expect note: 2:11 'a[1].y' occurs in no equation
// expect note: 2:11 'a[2].y' occurs in no equation
// expect note: 2:11 'a[3].y' occurs in no equation
