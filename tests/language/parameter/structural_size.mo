model M
  parameter Integer n = 2;
  parameter Boolean wide = n > 1;
  Real x[if wide then n else 1] = fill(time, n);
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   parameter Boolean wide = n > 1;
//   Real 'x[1]';
//   Real 'x[2]';
// equation
//   'x[1]' = time;
//   'x[2]' = time;
// end M;
