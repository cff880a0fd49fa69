model M
  Real x, y;
algorithm
  x := time;
  y := 2*x;
  x := x + y;
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
// algorithm
//   x := time;
//   y := 2.0*x;
//   x := x + y;
// end M;
