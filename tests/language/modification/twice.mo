model A
  parameter Real p = 1;
end A;
model M
  A a(p = 2, p = 3);
end M;
// expect error: 5:14 'p' is modified twice
