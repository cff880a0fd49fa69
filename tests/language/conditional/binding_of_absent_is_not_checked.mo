model M
  parameter Boolean on = false;
  Real x = time if on;
  Real y = 1;
end M;
// expect flat:
// model M
//   parameter Boolean on = false;
//   Real y;
// equation
//   y = 1.0;
// end M;
