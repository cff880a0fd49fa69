model A
  parameter Real p = 1;
end A;
model B
  A a(p = 2);
  A b;
end B;
model M
  B x(a(p = 3), b.p = 4);
  B y(a.p = 5);
end M;
// expect flat:
// model M
//   parameter Real 'x.a.p' = 3.0;
//   parameter Real 'x.b.p' = 4.0;
//   parameter Real 'y.a.p' = 5.0;
//   parameter Real 'y.b.p' = 1.0;
// end M;
