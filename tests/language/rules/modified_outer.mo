// Section 5.4.
model A
  outer parameter Real p = 2;
  Real x = p;
end A;
model M
  inner parameter Real p = 1;
  A a;
end M;
// expect error: 3:24 'p' is outer: what it is, is said where it is declared inner; it cannot be modified here
