model A
  final parameter Real c = 1;
  Real x = c;
end A;
model M
  A a(c = 2);
end M;
// expect error: 6:7 'c' is final in 'A' and cannot be modified
// expect note: 2:3 it is declared here
