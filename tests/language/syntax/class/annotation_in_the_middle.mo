// Modelica 2 had annotations of the class anywhere.
// expect warning: 5:13 the annotation of a class belongs to its end
model A
  Real x;
  annotation(Icon());
  Real y;
  annotation(Diagram());
end A;
