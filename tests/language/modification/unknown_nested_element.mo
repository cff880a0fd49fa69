model A
  parameter Real p = 1;
end A;
model B
  A a;
end B;
model M
  B b(a(q = 2));
end M;
// expect error: 8:9 'A' has no element 'q' to modify
