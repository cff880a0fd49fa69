model A
  Real y = 1;
end A;
model B
  Real y = 2;
end B;
model S
  replaceable A a;
  replaceable model T = A;
  T t;
end S;
model M
  extends S(redeclare B a, redeclare model T = B);
end M;
// expect flat:
// model M
//   Real 'a.y';
//   Real 't.y';
// equation
//   'a.y' = 2.0;
//   't.y' = 2.0;
// end M;
