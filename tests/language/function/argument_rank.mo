function f
  input Real v[:];
  output Real y = sum(v);
algorithm
end f;
model M
  Real x = f(time);
  Real y = f([1, 2; 3, time]);
end M;
// expect error: 7:14 input 'v' of 'f' must be Real[:], but this is Real
// expect error: 8:12 the binding of 'y' must be Real, but this is Real[2]
