// Section 12.4.2: without that they have the names that are declared.
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
  output Real z;
algorithm
  z := x;
end g;
model M
  Real y = twice(g, time);
end M;
// expect error: 20:18 'g' has no output 'y' in that place, so it cannot be input 'f' of 'twice'
