connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  parameter Real k = 1;
  RealInput u;
  RealOutput y;
equation
  y = k*u;
end Gain;
block Source
  RealOutput y = time;
end Source;
model M
  Source s;
  Gain g1(k = 2);
  Gain g2(k = 3);
  RealOutput out;
equation
  connect(s.y, g1.u);
  connect(s.y, g2.u);
  connect(g1.y, out);
end M;
// expect flat:
// model M
//   Real 's.y';
//   parameter Real 'g1.k' = 2.0;
//   Real 'g1.u';
//   Real 'g1.y';
//   parameter Real 'g2.k' = 3.0;
//   Real 'g2.u';
//   Real 'g2.y';
//   output Real out;
// equation
//   's.y' = time;
//   'g1.y' = 'g1.k'*'g1.u';
//   'g2.y' = 'g2.k'*'g2.u';
//   's.y' = 'g1.u';
//   's.y' = 'g2.u';
//   'g1.y' = out;
// end M;
