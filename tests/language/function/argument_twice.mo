function f
  input Real x;
  output Real y = x;
algorithm
end f;
model M
  Real y = f(1, x = 1);
end M;
// expect error: 7:17 input 'x' of 'f' is given twice
