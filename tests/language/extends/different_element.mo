model A
  Real x = 1;
end A;
model M
  extends A;
  Real x = 2;
end M;
// expect error: 6:8 'x' is inherited already and differs from it; use 'redeclare' to replace it
