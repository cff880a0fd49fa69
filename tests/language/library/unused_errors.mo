model M
  Real x = Lib.k;
end M;
// path: path
// expect flat:
// model M
//   Real x;
// equation
//   x = 2.0;
// end M;
