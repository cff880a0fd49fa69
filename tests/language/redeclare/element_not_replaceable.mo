model A
  Real y = 1;
end A;
model S
  A a;
end S;
model M
  extends S;
  redeclare A a;
end M;
// expect error: 9:15 'a' cannot be redeclared: it is not declared 'replaceable'
// expect note: 5:5 it is declared here
