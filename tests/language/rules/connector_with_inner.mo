// Section 4.6: what a specialised class may contain.
connector C
  Real v;
  flow Real i;
  inner Real w = 1;
end C;
model M
  C c;
end M;
// expect error: 5:14 a connector cannot have inner elements, as 'C' has; a model or a block can
