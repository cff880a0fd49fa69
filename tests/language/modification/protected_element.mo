model A
protected
  parameter Real p = 1;
end A;
model M
  A a(p = 2);
end M;
// expect error: 6:7 'p' is protected in 'A' and cannot be modified from outside
