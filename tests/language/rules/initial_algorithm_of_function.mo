// Section 12.2.
function f
  input Real u;
  output Real y;
initial algorithm
  y := u;
end f;
model M
  Real y = f(1);
end M;
// expect error: 5:1 a function cannot have an initial algorithm section, as 'f' has
