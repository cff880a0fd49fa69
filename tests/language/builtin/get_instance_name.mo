model A
  parameter String name = getInstanceName();
  Real x = 1;
end A;
model M
  A a[2];
end M;
// expect flat:
// model M
//   parameter String 'a[1].name' = "M.a[1]";
//   Real 'a[1].x';
//   parameter String 'a[2].name' = "M.a[2]";
//   Real 'a[2].x';
// equation
//   'a[1].x' = 1.0;
//   'a[2].x' = 1.0;
// end M;
