// Section 5.3.2: a model is not a package.
model A
  model B
    Real x = 1;
  end B;
  Real y = 2;
end A;
model M
  A.B b;
end M;
// expect error: 9:5 'B' cannot be taken from 'A', which is a model with more than constants and classes, unless it is encapsulated
