function f
  input Real x;
  output Real a;
  output Real b;
algorithm
  a := x;
  b := 2*x;
end f;
model M
  Real p;
  Real q;
  Real r;
algorithm
  (p, q) := f(time);
  (, r) := f(p);
end M;
// expect flat:
// function f
//   input Real x;
//   output Real a;
//   output Real b;
// algorithm
//   a := x;
//   b := 2.0*x;
// end f;
// model M
//   Real p;
//   Real q;
//   Real r;
// algorithm
//   (p, q) := f(time);
//   (, r) := f(p);
// end M;
