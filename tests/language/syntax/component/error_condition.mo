model A
  Real x if a = b;
end A;
// expect error: 2:15 a condition compares with '==', not '='
