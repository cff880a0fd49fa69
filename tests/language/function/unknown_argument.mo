function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real y = f(z = 1);
end M;
// expect error: 7:14 function 'f' has no input 'z'
