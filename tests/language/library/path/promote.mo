// A class with the name of a function: it can be used, but does not hide that.
model promote
  Real z = 1;
end promote;
// expect flat:
// model promote
//   Real z;
// equation
//   z = 1.0;
// end promote;
