function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real y = f("one");
end M;
// expect error: 7:14 input 'x' of 'f' must be Real, but this is String
