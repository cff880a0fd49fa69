// Section 7.3.2.
model A
  Real x = 1;
end A;
model B
  Real x = 2;
  Real y = 3;
end B;
model M
  replaceable A a constrainedby B;
end M;
// expect error: 10:17 'A' cannot take this place: it has no component 'y'
