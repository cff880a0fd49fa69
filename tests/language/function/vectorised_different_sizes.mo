function scale
  input Real x;
  input Real k;
  output Real y = k*x;
algorithm
end scale;
model M
  Real b[2] = scale({time, 1}, {1, 2, 3});
end M;
// expect error: 8:32 input 'k' of 'scale' must be Real, but this is Integer[3]
