record Data
  parameter Real R = 1;
  parameter Integer n = 2;
  Real v[n];
end Data;
model M
  parameter Data d(R = 5, v = {1, 2, 3}, n = 3);
  Real x[d.n] = d.R*d.v;
end M;
// expect flat:
// model M
//   parameter Real 'd.R' = 5.0;
//   parameter Integer 'd.n' = 3;
//   parameter Real 'd.v[1]' = 1.0;
//   parameter Real 'd.v[2]' = 2.0;
//   parameter Real 'd.v[3]' = 3.0;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
// equation
//   'x[1]' = 'd.R'*'d.v[1]';
//   'x[2]' = 'd.R'*'d.v[2]';
//   'x[3]' = 'd.R'*'d.v[3]';
// end M;
