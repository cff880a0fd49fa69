model A
  Real y = 1;
end A;
model S
  replaceable model T = A;
  T t;
end S;
model M
  S s(redeclare A T);
end M;
// expect error: 9:19 'T' is a class and cannot be redeclared as a component
