model A
  parameter Integer n = 1;
  Real x[n] = fill(time, n);
end A;
model M
  A a[2](n = {1, 2});
end M;
// expect flat:
// model M
//   parameter Integer 'a[1].n' = 1;
//   Real 'a[1].x[1]';
//   parameter Integer 'a[2].n' = 2;
//   Real 'a[2].x[1]';
//   Real 'a[2].x[2]';
// equation
//   'a[1].x[1]' = time;
//   'a[2].x[1]' = time;
//   'a[2].x[2]' = time;
// end M;
