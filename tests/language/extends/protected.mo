model A
  Real x = 1;
end A;
model B
protected
  extends A;
end B;
model M
  B b;
  Real y = b.x;
end M;
// expect error: 10:14 'x' is protected in 'B'
