// Section 5.4.
model A
  outer parameter Real p = 2;
  Real x = p;
end A;
model M
  inner parameter Real p = 1;
  A a;
end M;
// expect error: 3:28 'p' is outer and cannot be modified: the inner component is what counts
