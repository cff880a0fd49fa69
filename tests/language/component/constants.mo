model M
  constant Real pi = 2*asin(1.0);
  constant Integer n = 3;
  constant Real v[n] = {1, 2, 3};
  Real x = pi + v[2];
  parameter Real p = n*pi;
end M;
// expect flat:
// model M
//   constant Real pi = 3.141592653589793;
//   constant Integer n = 3;
//   constant Real 'v[1]' = 1.0;
//   constant Real 'v[2]' = 2.0;
//   constant Real 'v[3]' = 3.0;
//   Real x;
//   parameter Real p = 9.42477796076938;
// equation
//   x = 5.141592653589793;
// end M;
