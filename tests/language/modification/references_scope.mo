model A
  parameter Real p = 1;
  Real x = p;
end A;
model M
  parameter Real q = 7;
  parameter Real p = 9;
  A a(p = q);
  A b(p = p);
end M;
// expect flat:
// model M
//   parameter Real q = 7.0;
//   parameter Real p = 9.0;
//   parameter Real 'a.p' = q;
//   Real 'a.x';
//   parameter Real 'b.p' = p;
//   Real 'b.x';
// equation
//   'a.x' = 'a.p';
//   'b.x' = 'b.p';
// end M;
