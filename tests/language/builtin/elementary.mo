model M
  Real x = time + 1;
  Real y[16] = {sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), atan2(x, 2), sinh(x), cosh(x), tanh(x), exp(x), log(x), log10(x), sqrt(x), sign(x), abs(x)};
end M;
// expect flat:
// model M
//   Real x;
//   Real 'y[1]';
//   Real 'y[2]';
//   Real 'y[3]';
//   Real 'y[4]';
//   Real 'y[5]';
//   Real 'y[6]';
//   Real 'y[7]';
//   Real 'y[8]';
//   Real 'y[9]';
//   Real 'y[10]';
//   Real 'y[11]';
//   Real 'y[12]';
//   Real 'y[13]';
//   Real 'y[14]';
//   Real 'y[15]';
//   Real 'y[16]';
// equation
//   x = time + 1.0;
//   'y[1]' = sin(x);
//   'y[2]' = cos(x);
//   'y[3]' = tan(x);
//   'y[4]' = asin(x);
//   'y[5]' = acos(x);
//   'y[6]' = atan(x);
//   'y[7]' = atan2(x, 2.0);
//   'y[8]' = sinh(x);
//   'y[9]' = cosh(x);
//   'y[10]' = tanh(x);
//   'y[11]' = exp(x);
//   'y[12]' = log(x);
//   'y[13]' = log10(x);
//   'y[14]' = sqrt(x);
//   'y[15]' = sign(x);
//   'y[16]' = abs(x);
// end M;
