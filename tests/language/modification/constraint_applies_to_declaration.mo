model A
  parameter Real p = 1;
  parameter Real q = 1;
end A;
model M
  replaceable A a(q = 5) constrainedby A(p = 4, q = 6);
end M;
// expect flat:
// model M
//   parameter Real 'a.p' = 4.0;
//   parameter Real 'a.q' = 5.0;
// end M;
