model A
  Real x = 1;
end A;
model M
  extends A;
  Real x = 1;
end M;
// expect flat:
// model M
//   Real x;
// equation
//   x = 1.0;
// end M;
