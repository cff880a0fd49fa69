// Section 4.5.1: a short definition of a partial class is partial.
partial model A
  Real x = 1;
end A;
model B = A;
model M
  B b;
end M;
// expect error: 7:3 'B' is partial: a component of it needs a redeclaration or another type
