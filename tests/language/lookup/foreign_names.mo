model M
  double a;
  Real x(start = 1);
  Real y = ln(2) + pow(2, 3);
equation
  dx = -t;
  a = pi;
end M;
// expect error: 2:3 there is no type 'double' in 'M'; did you mean 'Real'?
// expect error: 4:12 there is no function 'ln' in 'M'; did you mean 'log'?
// expect error: 4:20 there is no function 'pow' in 'M'; did you mean 'x ^ y'?
// expect error: 6:3 there is no variable 'dx' in 'M'; did you mean 'der(x)'?
// expect error: 6:9 there is no variable 't' in 'M'; did you mean 'time'?
// expect error: 7:7 there is no variable 'pi' in 'M'; did you mean '2 * asin(1.0)'?
