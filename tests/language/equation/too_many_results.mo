function f
  input Real x;
  output Real a;
algorithm
  a := x;
end f;
model M
  Real p;
  Real q;
equation
  (p, q) = f(time);
end M;
// expect error: 11:3 function 'f' has 1 output, not 2
