partial model A
  Real y;
end A;
model S
  A a;
end S;
model M
  S s;
end M;
// expect error: 5:3 'A' is partial: a component of it needs a redeclaration or another type
