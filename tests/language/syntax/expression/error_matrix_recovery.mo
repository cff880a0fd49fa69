// The semicolons of a matrix do not end the equation it is in.
model A
  Real M[3, 3] = [1, 2, +; 3, 4, 5; 6, 7, 8];
  Real N[2, 2] = [1, 2 3; 4, 5];
  Real x;
equation
  y = [1, 2; *; 3];
  z = [1, 2;
  w = 3;
end A;
// expect error: 3:26 expected an expression, found ';'
// expect error: 4:24 expected ']' to match '[', found number 3
// expect error: 7:14 expected an expression, found '*'
// expect error: 9:5 expected ']' to match '[', found '='
// expect note: 8:7 what is to be closed begins here
