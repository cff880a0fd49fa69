model A
  Real x = 1;
end A;
model B
  extends A;
  Real y = 1;
end B;
model C
  Real x = 1;
  Real y = 1;
end C;
model D
  replaceable B b constrainedby A;
end D;
model E
  extends D(redeclare replaceable B b constrainedby B(x = 2, y = 3));
end E;
model M
  extends E(redeclare C b);
end M;
// expect flat:
// model M
//   Real 'b.x';
//   Real 'b.y';
// equation
//   'b.x' = 2.0;
//   'b.y' = 3.0;
// end M;
