record R
  Real a = 1;
  Real b = 2;
end R;
model A
  parameter R r = R(3, 4);
end A;
model M
  A x;
  A y(r(a = 9));
  A z(r = R(5, 6));
end M;
// expect flat:
// model M
//   parameter Real 'x.r.a' = 3.0;
//   parameter Real 'x.r.b' = 4.0;
//   parameter Real 'y.r.a' = 9.0;
//   parameter Real 'y.r.b' = 4.0;
//   parameter Real 'z.r.a' = 5.0;
//   parameter Real 'z.r.b' = 6.0;
// end M;
