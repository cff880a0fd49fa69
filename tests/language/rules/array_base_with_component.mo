// Section 7.1.3: an array as a base class stands alone.
model A
  Real x = 1;
end A;
model A3 = A[3];
model B
  extends A3;
  Real y = 2;
end B;
model M
  B b;
end M;
// expect error: 7:3 a class that extends an array cannot have other components or base classes
