// A call with numbers as arguments that has several results is not one value.
function f
  input Integer n;
  output Integer a;
  output Integer b;
algorithm
  a := n;
  b := 2*n;
end f;
model M
  parameter Integer n = 2;
  Real v[n] = fill(f(n) + 1, n)*time;
  Integer a, b;
equation
  (a, b) = f(3);
end M;
// expect flat:
// function f
//   input Integer n;
//   output Integer a;
//   output Integer b;
// algorithm
//   a := n;
//   b := 2*n;
// end f;
// model M
//   parameter Integer n = 2;
//   Real 'v[1]';
//   Real 'v[2]';
//   Integer a;
//   Integer b;
// equation
//   'v[1]' = 3.0*time;
//   'v[2]' = 3.0*time;
//   (a, b) = f(3);
// end M;
