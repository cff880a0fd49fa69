// Section 7.3.2: the last constraining clause counts.
model A
  Real x = 1;
end A;
model B
  extends A;
  Real y = 3;
end B;
model S
  replaceable B a constrainedby A;
end S;
model T
  extends S(replaceable B a constrainedby B);
end T;
model M
  T t(redeclare A a);
end M;
// expect error: 16:7 'A' cannot take this place: it has no component 'y'
