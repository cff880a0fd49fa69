model 3
  Real x;
end A;
// expect error: 1:7 expected the name of the class, found number 3
