record R
  Real x;
  Real y[2];
end R;
model M
  R a;
  R b[2];
equation
  a = R(time, {1, 2});
  b = {a, R(2*a.x, a.y)};
end M;
// expect flat:
// model M
//   Real 'a.x';
//   Real 'a.y[1]';
//   Real 'a.y[2]';
//   Real 'b[1].x';
//   Real 'b[1].y[1]';
//   Real 'b[1].y[2]';
//   Real 'b[2].x';
//   Real 'b[2].y[1]';
//   Real 'b[2].y[2]';
// equation
//   'a.x' = time;
//   'a.y[1]' = 1.0;
//   'a.y[2]' = 2.0;
//   'b[1].x' = 'a.x';
//   'b[1].y[1]' = 'a.y[1]';
//   'b[1].y[2]' = 'a.y[2]';
//   'b[2].x' = 2.0*'a.x';
//   'b[2].y[1]' = 'a.y[1]';
//   'b[2].y[2]' = 'a.y[2]';
// end M;
