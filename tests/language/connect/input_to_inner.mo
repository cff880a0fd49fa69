connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  RealInput u;
  RealOutput y;
equation
  y = 2*u;
end Gain;
block M
  RealInput u;
  RealOutput y;
  Gain g;
equation
  connect(u, g.u);
  connect(g.y, y);
end M;
// expect flat:
// model M
//   input Real u;
//   output Real y;
//   Real 'g.u';
//   Real 'g.y';
// equation
//   'g.y' = 2.0*'g.u';
//   u = 'g.u';
//   'g.y' = y;
// end M;
