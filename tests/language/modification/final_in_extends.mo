model A
  parameter Real p = 1;
  Real x(start = 0);
end A;
model B
  extends A(final p = 2);
end B;
model M
  B b(p = 3);
equation
  b.x = 1;
end M;
// expect error: 9:7 'p' is final in 'B' and cannot be modified
// expect note: 2:3 it is declared here
// expect error: 9:7 'p' is final and cannot be modified
// expect note: 6:13 it is made final here
