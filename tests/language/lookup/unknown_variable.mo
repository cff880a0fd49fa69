model M
  Real velocity;
equation
  velocty = 1;
end M;
// expect error: 4:3 there is no variable 'velocty' in 'M'; did you mean 'velocity'?
