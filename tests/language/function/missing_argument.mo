function f
  input Real x;
  input Real z;
  output Real y = x;
algorithm
end f;
model M
  Real y = f(1);
end M;
// expect error: 8:12 input 'z' of function 'f' is missing
