model M
  parameter Integer n = 2 annotation(Evaluate = true);
  parameter Real k = n*1.5;
  Real x = k*n*time;
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   parameter Real k = n*1.5;
//   Real x;
// equation
//   x = k*n*time;
// end M;
