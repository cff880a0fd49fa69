model A
  parameter Real c = 1;
  Real x = c;
end A;
model B
  A a(final c = 2);
end B;
model M
  B b(a(c = 3));
end M;
// expect error: 9:9 'c' is final and cannot be modified
// expect note: 6:7 it is made final here
