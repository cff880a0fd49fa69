model A
  parameter Real s = 1;
end A;
model B
  extends A;
end B;
model M
  extends A(s = 2);
  extends B(s = 3);
end M;
// expect error: 9:3 's' is inherited twice, from different declarations
