function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real y = f(1, 2);
end M;
// expect error: 7:12 function 'f' takes 1 argument, but 2 are given
