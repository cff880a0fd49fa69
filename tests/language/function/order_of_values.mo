// Values of protected variables in the order in which they need each other (section 12.4.4).
function f
  input Real x;
  output Real y = a + c[2];
protected
  Real a = 2*b;
  Real b = x;
  Real c[n] = fill(x, n);
  Integer n = 3;
algorithm
end f;
model M
  constant Real p = f(2);
  parameter Real q = p;
end M;
// expect flat:
// model M
//   constant Real p = 6.0;
//   parameter Real q = 6.0;
// end M;
