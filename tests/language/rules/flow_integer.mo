// Section 4.4.2.2.
connector C
  Real v;
  flow Integer n;
end C;
model M
  C c;
end M;
// expect error: 4:16 'n' cannot be 'flow': only Real variables can, and 'Integer' is none
