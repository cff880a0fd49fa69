// Sections in any order, each as often as one likes.
model A
  Real a;
equation
  a = 1;
public
  Real b;
protected
  Real c;
algorithm
  b := 2;
initial equation
  c = 3;
public
  Real d;
initial algorithm
  d := 4;
equation
protected
equation
  c = 5;
end A;
