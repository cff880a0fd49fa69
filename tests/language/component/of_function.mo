function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  f p;
end M;
// expect error: 7:3 a function cannot be the type of a component, as 'f' is
