// Section 12.4.2.1: the outputs of a function with bound inputs may have other names.
partial function F
  input Real x;
  output Real y;
end F;
function twice
  input F f;
  input Real x;
  output Real y;
algorithm
  y := 2*f(x);
end twice;
function g
  input Real x;
  input Real a;
  output Real z;
algorithm
  z := a*x;
end g;
model M
  Real y = twice(function g(a = 3), time);
end M;
// expect flat:
// function twice
//   input Real x;
//   input Real 'f.a';
//   output Real y;
// algorithm
//   y := 2.0*g(x, 'f.a');
// end twice;
// function g
//   input Real x;
//   input Real a;
//   output Real z;
// algorithm
//   z := a*x;
// end g;
// model M
//   Real y;
// equation
//   y = twice(time, 3.0);
// end M;
