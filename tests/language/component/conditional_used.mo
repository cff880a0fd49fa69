model A
  Real x = 1;
end A;
model M
  A a if false;
  Real y = a.x;
end M;
// expect error: 6:12 'a.x' does not exist: its condition is false
