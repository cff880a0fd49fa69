model A
  parameter Real p = 1;
end A;
model M
  A a[3](each p = 2);
end M;
// expect flat:
// model M
//   parameter Real 'a[1].p' = 2.0;
//   parameter Real 'a[2].p' = 2.0;
//   parameter Real 'a[3].p' = 2.0;
// end M;
