// Section 7.3.3: a redeclaration is replaceable only if it says so.
model A
  Real x = 1;
end A;
model B
  extends A;
  Real y = 1;
end B;
model S
  replaceable A a;
end S;
model T
  extends S(redeclare B a);
end T;
model M
  T t(redeclare A a);
end M;
// expect error: 16:19 'a' cannot be redeclared: it is not declared 'replaceable'
