model A
  Real x = 1;
  Real y = 2;
end A;
model M
  extends A(break y);
  Real y = 5*x;
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
// equation
//   x = 1.0;
//   y = 5.0*x;
// end M;
