type Vector = Real[3](each unit = "m");
model M
  Vector r = {time, 0, 1};
  Vector a[2] = {{1, 2, 3}, {4, 5, time}};
end M;
// expect flat:
// model M
//   Real 'r[1]'(unit = "m");
//   Real 'r[2]'(unit = "m");
//   Real 'r[3]'(unit = "m");
//   Real 'a[1,1]'(unit = "m");
//   Real 'a[1,2]'(unit = "m");
//   Real 'a[1,3]'(unit = "m");
//   Real 'a[2,1]'(unit = "m");
//   Real 'a[2,2]'(unit = "m");
//   Real 'a[2,3]'(unit = "m");
// equation
//   'r[1]' = time;
//   'r[2]' = 0.0;
//   'r[3]' = 1.0;
//   'a[1,1]' = 1.0;
//   'a[1,2]' = 2.0;
//   'a[1,3]' = 3.0;
//   'a[2,1]' = 4.0;
//   'a[2,2]' = 5.0;
//   'a[2,3]' = time;
// end M;
