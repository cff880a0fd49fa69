model A
  parameter Real p = 1;
  Real x[2] = {p, 2*p};
end A;
model M
  A a[2](p = {1, 2});
  Real all[2, 2] = a.x;
  Real first[2] = a[:].x[1];
  Real one = a[2].x[2];
  Real s = sum(a.p);
end M;
// expect flat:
// model M
//   parameter Real 'a[1].p' = 1.0;
//   Real 'a[1].x[1]';
//   Real 'a[1].x[2]';
//   parameter Real 'a[2].p' = 2.0;
//   Real 'a[2].x[1]';
//   Real 'a[2].x[2]';
//   Real 'all[1,1]';
//   Real 'all[1,2]';
//   Real 'all[2,1]';
//   Real 'all[2,2]';
//   Real 'first[1]';
//   Real 'first[2]';
//   Real one;
//   Real s;
// equation
//   'a[1].x[1]' = 'a[1].p';
//   'a[1].x[2]' = 2.0*'a[1].p';
//   'a[2].x[1]' = 'a[2].p';
//   'a[2].x[2]' = 2.0*'a[2].p';
//   'all[1,1]' = 'a[1].x[1]';
//   'all[1,2]' = 'a[1].x[2]';
//   'all[2,1]' = 'a[2].x[1]';
//   'all[2,2]' = 'a[2].x[2]';
//   'first[1]' = 'a[1].x[1]';
//   'first[2]' = 'a[2].x[1]';
//   one = 'a[2].x[2]';
//   s = 'a[1].p' + 'a[2].p';
// end M;
