// Section 4.5.1: the prefix of a type is that of its components.
type In = input Real;
type Out = output Real[2];
function f
  In u;
  Out y;
algorithm
  y := {u, 2*u};
end f;
model M
  Real x[2] = f(time);
end M;
// expect flat:
// function f
//   input Real u;
//   output Real y[2];
// algorithm
//   y := {u, 2.0*u};
// end f;
// model M
//   Real 'x[1]';
//   Real 'x[2]';
// equation
//   'x[1]' = (f(time))[1];
//   'x[2]' = (f(time))[2];
// end M;
