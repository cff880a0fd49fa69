model A
  Real x = 1;
end A;
partial model B
  Real y;
end B;
function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
// expect flat:
// model A
//   Real x;
// equation
//   x = 1.0;
// end A;
