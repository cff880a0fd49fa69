// Section 4.6.
connector C
  Real v;
  flow Real i;
end C;
block B
  C c;
equation
  c.v = 1;
end B;
model M
  B b;
end M;
// expect error: 7:5 'v' of connector 'C' is neither input nor output: a block cannot have such a connector, a model can
