// Section 7.3.3.
model A
  replaceable constant Real x = 2;
end A;
model M
  extends A(redeclare Real x = 3);
end M;
// expect error: 6:28 'x' is a constant and cannot be redeclared
