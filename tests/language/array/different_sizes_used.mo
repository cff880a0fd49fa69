model A
  parameter Integer n = 1;
  Real x[n] = fill(time, n);
end A;
model M
  A a[2](n = {1, 2});
  Real y[2, 2] = a.x;
end M;
// expect error: 7:20 'x' has different sizes in the elements of an array
