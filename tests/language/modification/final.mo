model A
  final parameter Real p = 1;
end A;
model M
  A a(p = 2);
end M;
// expect error: 5:7 'p' is final in 'A' and cannot be modified
// expect note: 2:3 it is declared here
