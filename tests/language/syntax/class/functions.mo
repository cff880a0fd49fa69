function f "a function"
  input Real x;
  input Real y = 2 "with default";
  output Real z;
  output Integer n;
protected
  Real t[size(x, 1)];
algorithm
  t := x;
  z := t;
annotation(Inline = true, smoothOrder = 2);
end f;
partial function g
  input Integer n;
  replaceable Real x;
end g;
