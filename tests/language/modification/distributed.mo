model A
  parameter Real p = 1;
  parameter Real q[2] = {0, 0};
end A;
model M
  A a[2](p = {1, 2}, q = [1, 2; 3, 4]);
  A b[2](each q = {5, 6});
end M;
// expect flat:
// model M
//   parameter Real 'a[1].p' = 1.0;
//   parameter Real 'a[1].q[1]' = 1.0;
//   parameter Real 'a[1].q[2]' = 2.0;
//   parameter Real 'a[2].p' = 2.0;
//   parameter Real 'a[2].q[1]' = 3.0;
//   parameter Real 'a[2].q[2]' = 4.0;
//   parameter Real 'b[1].p' = 1.0;
//   parameter Real 'b[1].q[1]' = 5.0;
//   parameter Real 'b[1].q[2]' = 6.0;
//   parameter Real 'b[2].p' = 1.0;
//   parameter Real 'b[2].q[1]' = 5.0;
//   parameter Real 'b[2].q[2]' = 6.0;
// end M;
