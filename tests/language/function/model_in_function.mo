model A
  Real x = 1;
end A;
function f
  input Real x;
  output Real y;
protected
  A a;
algorithm
  y := x;
end f;
model M
  Real y = f(time);
end M;
// expect error: 8:3 a variable of a function cannot be of type 'A'
