model M
  parameter Real a[6] = {sin(0), cos(0), exp(0), log(1), sqrt(16), atan2(0, 1)};
  Real x = time;
end M;
// expect flat:
// model M
//   parameter Real 'a[1]' = 0.0;
//   parameter Real 'a[2]' = 1.0;
//   parameter Real 'a[3]' = 1.0;
//   parameter Real 'a[4]' = 0.0;
//   parameter Real 'a[5]' = 4.0;
//   parameter Real 'a[6]' = 0.0;
//   Real x;
// equation
//   x = time;
// end M;
