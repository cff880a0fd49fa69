model A
  Real x;
  /* no end
equation
  x = 1;
end A;
// expect error: 3:3 this comment has no end
