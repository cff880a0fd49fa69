function f
  input Real x;
  output Real y;
  Real z;
algorithm
  z := x;
  y := z;
end f;
model M
  Real y = f(1);
end M;
// expect error: 4:8 'z' is a public variable of a function: it must be input, output or protected
