// The modifications of a constraining clause hold for the default and for what replaces it, unless
// that says otherwise (section 7.3.2).
model B
  parameter Real x = 1;
  parameter Real y = 1;
end B;
model C
  extends B;
  parameter Real z = 1;
end C;
model A
  replaceable model T = B constrainedby B(x = 2, y = 2);
  T t;
end A;
model M
  A a;
  A b(redeclare model T = C);
  A c(redeclare model T = C(y = 3));
end M;
// expect flat:
// model M
//   parameter Real 'a.t.x' = 2.0;
//   parameter Real 'a.t.y' = 2.0;
//   parameter Real 'b.t.x' = 2.0;
//   parameter Real 'b.t.y' = 2.0;
//   parameter Real 'b.t.z' = 1.0;
//   parameter Real 'c.t.x' = 2.0;
//   parameter Real 'c.t.y' = 3.0;
//   parameter Real 'c.t.z' = 1.0;
// end M;
