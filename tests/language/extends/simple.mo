model A
  parameter Real k = 1;
  Real x;
equation
  der(x) = -k*x;
end A;
model B
  extends A(k = 2, x(start = 3));
end B;
// expect flat:
// model B
//   parameter Real k = 2.0;
//   Real x(start = 3.0);
// equation
//   der(x) = -k*x;
// end B;
