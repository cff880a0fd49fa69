model M
  Real a[2] = {time, 2};
  Real b[2] = sin(a);
  Real c[2] = atan2(a, 3);
  Real d[2, 2] = abs([time, 2; 3, 4]);
end M;
// expect flat:
// model M
//   Real 'a[1]';
//   Real 'a[2]';
//   Real 'b[1]';
//   Real 'b[2]';
//   Real 'c[1]';
//   Real 'c[2]';
//   Real 'd[1,1]';
//   Real 'd[1,2]';
//   Real 'd[2,1]';
//   Real 'd[2,2]';
// equation
//   'a[1]' = time;
//   'a[2]' = 2.0;
//   'b[1]' = sin('a[1]');
//   'b[2]' = sin('a[2]');
//   'c[1]' = atan2('a[1]', 3.0);
//   'c[2]' = atan2('a[2]', 3.0);
//   'd[1,1]' = abs(time);
//   'd[1,2]' = 2.0;
//   'd[2,1]' = 3.0;
//   'd[2,2]' = 4.0;
// end M;
