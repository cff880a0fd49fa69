model M
  Integer i = if time > 1 then 1 else 2;
  Real x[3] = {1, 2, 3};
  Real y = x[i];
  Real z[2] = {x[i], x[i + 1]};
end M;
// expect flat:
// model M
//   Integer i;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real y;
//   Real 'z[1]';
//   Real 'z[2]';
// equation
//   i = if time > 1.0 then 1 else 2;
//   'x[1]' = 1.0;
//   'x[2]' = 2.0;
//   'x[3]' = 3.0;
//   y = ({'x[1]', 'x[2]', 'x[3]'})[i];
//   'z[1]' = ({'x[1]', 'x[2]', 'x[3]'})[i];
//   'z[2]' = ({'x[1]', 'x[2]', 'x[3]'})[i + 1];
// end M;
