model A
  Real x = time;
end A;
model M
  parameter Integer n = 2;
  A a[n] if n > 1;
  A b[n] if n > 2;
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   Real 'a[1].x';
//   Real 'a[2].x';
// equation
//   'a[1].x' = time;
//   'a[2].x' = time;
// end M;
