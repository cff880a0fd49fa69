model A
  parameter Real k = 1;
end A;
model B
  extends A(k = 2);
end B;
model C
  extends B(k = 3);
end C;
model M
  C c1;
  C c2(k = 4);
end M;
// expect flat:
// model M
//   parameter Real 'c1.k' = 3.0;
//   parameter Real 'c2.k' = 4.0;
// end M;
