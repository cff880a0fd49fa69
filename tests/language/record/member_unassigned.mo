// A member that a function does not assign has no value: an error where it is read.
record R
  Real a;
  Real b;
end R;
function f
  input Real u;
  output R r;
algorithm
  r.a := u;
end f;
function g
  input R r;
  output Real y;
algorithm
  y := r.a;
end g;
model M
  constant R c = f(1);
  constant Real p = g(f(2));
  Real x = c.a;
  Real y = c.b;
  Real z = p;
end M;
// expect error: 22:12 the constant 'c.b' has no value: a member of the function's result gets no value
// expect note: 4:8 it is declared here
// expect error: 23:12 the constant 'p' has no value: a member of the function's result gets no value
// expect note: 20:17 it is declared here
