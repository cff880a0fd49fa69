model A
  Real x = time;
end A;
model B
  A a;
end B;
model M
  B b if false;
  Real y = b.a.x;
end M;
// expect error: 9:12 'b.a.x' does not exist: its condition is false
