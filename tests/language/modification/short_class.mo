model A
  parameter Real p = 1;
  parameter Real q = 1;
end A;
model B = A(p = 2);
model C = B(q = 3);
model M
  C c;
  C d(p = 4);
end M;
// expect flat:
// model M
//   parameter Real 'c.p' = 2.0;
//   parameter Real 'c.q' = 3.0;
//   parameter Real 'd.p' = 4.0;
//   parameter Real 'd.q' = 3.0;
// end M;
