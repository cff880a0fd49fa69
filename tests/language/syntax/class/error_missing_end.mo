model A
  Real x;
equation
  x = 1;
// expect error: 4:9 expected 'end A', found the end of the file
// expect note: 1:7 class 'A' begins here
