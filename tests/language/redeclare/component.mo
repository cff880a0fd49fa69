model A
  parameter Real p = 1;
  Real y = p;
end A;
model B
  extends A(p = 2);
  Real z = 3*y;
end B;
model S
  replaceable A a constrainedby A(p = 4);
end S;
model M
  parameter Real q = 8;
  S s;
  S t(redeclare B a);
  S u(redeclare B a(p = q));
end M;
// expect flat:
// model M
//   parameter Real q = 8.0;
//   parameter Real 's.a.p' = 4.0;
//   Real 's.a.y';
//   parameter Real 't.a.p' = 4.0;
//   Real 't.a.y';
//   Real 't.a.z';
//   parameter Real 'u.a.p' = q;
//   Real 'u.a.y';
//   Real 'u.a.z';
// equation
//   's.a.y' = 's.a.p';
//   't.a.y' = 't.a.p';
//   't.a.z' = 3.0*'t.a.y';
//   'u.a.y' = 'u.a.p';
//   'u.a.z' = 3.0*'u.a.y';
// end M;
