// Section 7.3.3.
model A
  final replaceable Real x = 2;
end A;
model M
  extends A;
  redeclare Real x = 3;
end M;
// expect error: 7:18 'x' is final and cannot be redeclared
