model ImplicitRangePlaces "the range of an iterator, found in a call, an if, a matrix, an array"
  parameter Real a[2] = {1, 2}, b[2] = {3, 4}, c[2] = {5, 6}, d[2] = {7, 8};
  Real p[2], q[2], r[2, 1, 2], s[2, 2];
equation
  p = {max(0, a[i]) for i};
  q = {if b[i] > 3.5 then b[i] else 0 for i};
  r = {[c[i], 1] for i};
  s = {{d[i], -d[i]} for i};
end ImplicitRangePlaces;
// expect flat:
// model ImplicitRangePlaces "the range of an iterator, found in a call, an if, a matrix, an array"
//   parameter Real 'a[1]' = 1.0;
//   parameter Real 'a[2]' = 2.0;
//   parameter Real 'b[1]' = 3.0;
//   parameter Real 'b[2]' = 4.0;
//   parameter Real 'c[1]' = 5.0;
//   parameter Real 'c[2]' = 6.0;
//   parameter Real 'd[1]' = 7.0;
//   parameter Real 'd[2]' = 8.0;
//   Real 'p[1]';
//   Real 'p[2]';
//   Real 'q[1]';
//   Real 'q[2]';
//   Real 'r[1,1,1]';
//   Real 'r[1,1,2]';
//   Real 'r[2,1,1]';
//   Real 'r[2,1,2]';
//   Real 's[1,1]';
//   Real 's[1,2]';
//   Real 's[2,1]';
//   Real 's[2,2]';
// equation
//   'p[1]' = max(0.0, 'a[1]');
//   'p[2]' = max(0.0, 'a[2]');
//   'q[1]' = if 'b[1]' > 3.5 then 'b[1]' else 0.0;
//   'q[2]' = if 'b[2]' > 3.5 then 'b[2]' else 0.0;
//   'r[1,1,1]' = 'c[1]';
//   'r[1,1,2]' = 1.0;
//   'r[2,1,1]' = 'c[2]';
//   'r[2,1,2]' = 1.0;
//   's[1,1]' = 'd[1]';
//   's[1,2]' = -'d[1]';
//   's[2,1]' = 'd[2]';
//   's[2,2]' = -'d[2]';
// end ImplicitRangePlaces;
