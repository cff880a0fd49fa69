model A
  parameter Real s = 1;
  Real x(start = 1);
end A;
model B
  parameter Real s = 1;
  Real x(start = 1, min = s);
end B;
model M
  extends A(x(min = s));
  extends B;
equation
  x = time;
end M;
// expect flat:
// model M
//   parameter Real s = 1.0;
//   Real x(min = s, start = 1.0);
// equation
//   x = time;
// end M;
