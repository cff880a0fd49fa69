record R
  Real x;
end R;
model M
  R r[3](x = {1, 2, 3});
  Real all[3] = r.x;
  Real s = sum(r.x);
end M;
// expect flat:
// model M
//   Real 'r[1].x';
//   Real 'r[2].x';
//   Real 'r[3].x';
//   Real 'all[1]';
//   Real 'all[2]';
//   Real 'all[3]';
//   Real s;
// equation
//   'r[1].x' = 1.0;
//   'r[2].x' = 2.0;
//   'r[3].x' = 3.0;
//   'all[1]' = 'r[1].x';
//   'all[2]' = 'r[2].x';
//   'all[3]' = 'r[3].x';
//   s = 'r[1].x' + 'r[2].x' + 'r[3].x';
// end M;
