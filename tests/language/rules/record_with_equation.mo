// Section 4.6: what a specialised class may contain.
record C
  Real v;
equation
  v = 1;
end C;
model M
  C c;
end M;
// expect error: 4:1 a record cannot have an equation section, as 'C' has; a model or a block can
