model A
  Real y = 1;
end A;
model B
  Real y = 2;
end B;
model C
  Real y = 3;
end C;
model S
  replaceable model T = A;
  T t;
end S;
model S2
  extends S(redeclare replaceable model T = B);
end S2;
model M
  S2 a;
  S2 b(redeclare model T = C);
end M;
// expect flat:
// model M
//   Real 'a.t.y';
//   Real 'b.t.y';
// equation
//   'a.t.y' = 2.0;
//   'b.t.y' = 3.0;
// end M;
