function f
  input Real x[2];
  output Real y = x[1];
algorithm
end f;
model M
  Real y = f({1, 2, 3});
end M;
// expect error: 7:14 input 'x' of 'f' must be Real[2], but this is Integer[3]
