model A
  Real y = 1;
end A;
model S
  A a;
end S;
model M
  S s(redeclare A a);
end M;
// expect error: 8:19 'a' cannot be redeclared: it is not declared 'replaceable'
