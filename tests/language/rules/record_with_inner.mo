// Section 4.6: what a specialised class may contain.
record C
  Real v;
  inner Real w = 1;
end C;
model M
  C c;
end M;
// expect error: 4:14 a record cannot have inner elements, as 'C' has; a model or a block can
