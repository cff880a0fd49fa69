model M
  parameter Integer n = 2;
  Real a[n] = {1, 2};
  Real[3] b = {1, 2, 3};
  Real[2] c[3] = {{1, 2}, {3, 4}, {5, 6}};
  parameter Real d[:] = {7, 8};
  parameter Real e[:, :] = [1, 2; 3, 4];
  Real f[size(d, 1)] = d;
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   Real 'a[1]';
//   Real 'a[2]';
//   Real 'b[1]';
//   Real 'b[2]';
//   Real 'b[3]';
//   Real 'c[1,1]';
//   Real 'c[1,2]';
//   Real 'c[2,1]';
//   Real 'c[2,2]';
//   Real 'c[3,1]';
//   Real 'c[3,2]';
//   parameter Real 'd[1]' = 7.0;
//   parameter Real 'd[2]' = 8.0;
//   parameter Real 'e[1,1]' = 1.0;
//   parameter Real 'e[1,2]' = 2.0;
//   parameter Real 'e[2,1]' = 3.0;
//   parameter Real 'e[2,2]' = 4.0;
//   Real 'f[1]';
//   Real 'f[2]';
// equation
//   'a[1]' = 1.0;
//   'a[2]' = 2.0;
//   'b[1]' = 1.0;
//   'b[2]' = 2.0;
//   'b[3]' = 3.0;
//   'c[1,1]' = 1.0;
//   'c[1,2]' = 2.0;
//   'c[2,1]' = 3.0;
//   'c[2,2]' = 4.0;
//   'c[3,1]' = 5.0;
//   'c[3,2]' = 6.0;
//   'f[1]' = 'd[1]';
//   'f[2]' = 'd[2]';
// end M;
