model A
  parameter Real p = 0;
  Real y = p;
end A;
model S
  replaceable model T = A;
  T t[2](p = {1, 2});
end S;
model M
  model B = A(p = 3);
  S s(redeclare model T = B);
end M;
// expect flat:
// model M
//   parameter Real 's.t[1].p' = 1.0;
//   Real 's.t[1].y';
//   parameter Real 's.t[2].p' = 2.0;
//   Real 's.t[2].y';
// equation
//   's.t[1].y' = 's.t[1].p';
//   's.t[2].y' = 's.t[2].p';
// end M;
