function f
  input Real x;
  output Real a;
  output Real b[2];
algorithm
  a := x;
  b := {x, 2*x};
end f;
model M
  Real p;
  Real q[2];
  Real r;
equation
  (p, q) = f(time);
  r = f(2*time);
end M;
// expect flat:
// function f
//   input Real x;
//   output Real a;
//   output Real b[2];
// algorithm
//   a := x;
//   b := {x, 2.0*x};
// end f;
// model M
//   Real p;
//   Real 'q[1]';
//   Real 'q[2]';
//   Real r;
// equation
//   (p, {'q[1]', 'q[2]'}) = f(time);
//   r = f(2.0*time);
// end M;
