// Section 5.4.
model A
  outer parameter Real p;
  Real x = p;
end A;
model M
  inner parameter Real p = 1;
  A a(p = 2);
end M;
// expect error: 8:7 'p' is outer and cannot be modified: the inner component is what counts
