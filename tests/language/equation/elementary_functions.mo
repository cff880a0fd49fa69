model M
  Real x = sin(time) + cos(time) + tan(time) + asin(time) + acos(time) + atan(time) +
    atan2(time, 2) + sinh(time) + cosh(time) + tanh(time) + exp(time) + log(time) + log10(time) + sqrt(time);
end M;
// expect flat:
// model M
//   Real x;
// equation
//   x = sin(time) + cos(time) + tan(time) + asin(time) + acos(time) + atan(time) + atan2(time, 2.0) + sinh(time) + cosh(time) + tanh(time) + exp(time) + log(time) + log10(time) + sqrt(time);
// end M;
