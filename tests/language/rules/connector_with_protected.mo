// Section 4.6: what a specialised class may contain.
connector C
  Real v;
  flow Real i;
protected
  Real w = 1;
end C;
model M
  C c;
end M;
// expect error: 6:8 a connector cannot have protected elements, as 'C' has; a model or a block can
