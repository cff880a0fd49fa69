model A
  Real a = 1;
end A;
model B
  Real b = 2;
end B;
model C
  Real first = 0;
  extends A;
  Real between = 1.5;
  extends B(b = 3);
end C;
// expect flat:
// model C
//   Real first;
//   Real a;
//   Real between;
//   Real b;
// equation
//   first = 0.0;
//   a = 1.0;
//   between = 1.5;
//   b = 3.0;
// end C;
