model A
  Real y = 1;
end A;
model S
  replaceable A t;
end S;
model M
  S s(redeclare model t = A);
end M;
// expect error: 8:23 't' is a component and cannot be redeclared as a class
