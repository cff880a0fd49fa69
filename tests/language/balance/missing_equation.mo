model M
  Real x;
  Real y;
equation
  x = 1;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 2 unknowns and 1 equation; 1 equation is missing
// expect note: 3:8 'y' occurs in no equation
