model A
  parameter Real p = 1;
end A;
model B
  A a[2];
end B;
model M
  B b[3](a(p = [11, 12; 21, 22; 31, 32]));
  B c[2](each a(p = {1, 2}));
  B d[2](a(each p = {5, 6}));
end M;
// expect flat:
// model M
//   parameter Real 'b[1].a[1].p' = 11.0;
//   parameter Real 'b[1].a[2].p' = 12.0;
//   parameter Real 'b[2].a[1].p' = 21.0;
//   parameter Real 'b[2].a[2].p' = 22.0;
//   parameter Real 'b[3].a[1].p' = 31.0;
//   parameter Real 'b[3].a[2].p' = 32.0;
//   parameter Real 'c[1].a[1].p' = 1.0;
//   parameter Real 'c[1].a[2].p' = 2.0;
//   parameter Real 'c[2].a[1].p' = 1.0;
//   parameter Real 'c[2].a[2].p' = 2.0;
//   parameter Real 'd[1].a[1].p' = 5.0;
//   parameter Real 'd[1].a[2].p' = 5.0;
//   parameter Real 'd[2].a[1].p' = 6.0;
//   parameter Real 'd[2].a[2].p' = 6.0;
// end M;
