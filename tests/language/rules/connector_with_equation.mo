// Section 4.6: what a specialised class may contain.
connector C
  Real v;
  flow Real i;
equation
  v = 1;
end C;
model M
  C c;
end M;
// expect error: 5:1 a connector cannot have an equation section, as 'C' has; a model or a block can
