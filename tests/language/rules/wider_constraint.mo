// Section 7.3.2: a new constraining clause asks for no less.
model A
  Real x = 1;
end A;
model B
  extends A;
  Real y = 3;
end B;
model S
  replaceable B a constrainedby B;
end S;
model M
  extends S(replaceable B a constrainedby A);
end M;
// expect error: 13:29 'A' cannot take this place: it has no component 'y'
