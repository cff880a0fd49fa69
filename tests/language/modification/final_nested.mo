model A
  parameter Real p = 1;
end A;
model B
  A a(final p = 2);
end B;
model M
  B b(a.p = 3);
end M;
// expect error: 8:7 'p' is final and cannot be modified
// expect note: 5:7 it is made final here
