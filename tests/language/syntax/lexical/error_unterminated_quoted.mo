model A
  Real 'x;
  Real y;
end A;
// expect error: 2:8 this quoted identifier has no end: a single quote is missing
