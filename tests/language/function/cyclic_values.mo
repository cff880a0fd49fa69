// Values that need each other in a circle (section 12.4.4).
function f
  input Real x;
  output Real y;
protected
  Real a = b;
  Real b = a;
algorithm
  y := a + x;
end f;
model M
  Real z = f(time);
end M;
// expect error: 6:8 the value of 'a' in 'f' depends on itself
