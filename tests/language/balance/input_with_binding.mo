model M
  input Real u = 3;
  Real y = u;
end M;
// expect flat:
// model M
//   Real u;
//   Real y;
// equation
//   u = 3.0;
//   y = u;
// end M;
