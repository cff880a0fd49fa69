model A
  replaceable constant Real x = 1;
end A;
model M
  Real y = time;
  extends A(redeclare Real x = y);
end M;
// expect error: 6:28 'x' is a constant and cannot be redeclared
// expect error: 6:32 the constant 'x' cannot depend on a value that changes during a run
