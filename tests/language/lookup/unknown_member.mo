model A
  Real width = 1;
end A;
model M
  A a;
  Real y = a.widht;
end M;
// expect error: 6:14 'A' has no component 'widht'; did you mean 'width'?
