model A
protected
  Real x = 1;
end A;
model M
  A a;
  Real y = a.x;
end M;
// expect error: 7:14 'x' is protected in 'A'
