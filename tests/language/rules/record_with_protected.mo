// Section 4.6: what a specialised class may contain.
record C
  Real v;
protected
  Real w = 1;
end C;
model M
  C c;
end M;
// expect error: 5:8 a record cannot have protected elements, as 'C' has; a model or a block can
