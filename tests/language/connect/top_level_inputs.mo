connector RealInput = input Real;
connector RealOutput = output Real;
block M
  RealInput u;
  input Real v;
  RealOutput y;
  output Real z;
equation
  y = u + v;
  z = 2*y;
end M;
// expect flat:
// model M
//   input Real u;
//   input Real v;
//   output Real y;
//   output Real z;
// equation
//   y = u + v;
//   z = 2.0*y;
// end M;
