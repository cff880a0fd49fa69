model A
  parameter Real resistance = 1;
end A;
model M
  A a(resistence = 2);
end M;
// expect error: 5:7 'A' has no element 'resistence' to modify; did you mean 'resistance'?
