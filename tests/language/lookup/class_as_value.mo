model A
  Real x = 1;
end A;
model M
  Real y = A;
end M;
// expect error: 5:12 'A' is a model; a value is expected here
