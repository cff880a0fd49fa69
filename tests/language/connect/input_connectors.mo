connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  RealInput u;
  RealOutput y;
  parameter Real k = 2;
equation
  y = k*u;
end Gain;
block Twice "Outside connectors on both sides"
  RealInput u;
  RealOutput y;
  Gain a, b(k = 3);
equation
  connect(u, a.u);
  connect(a.y, b.u);
  connect(b.y, y);
end Twice;
model M
  Twice t;
  RealOutput y;
equation
  t.u = time;
  connect(t.y, y);
end M;
// expect flat:
// model M
//   Real 't.u';
//   Real 't.y';
//   Real 't.a.u';
//   Real 't.a.y';
//   parameter Real 't.a.k' = 2.0;
//   Real 't.b.u';
//   Real 't.b.y';
//   parameter Real 't.b.k' = 3.0;
//   output Real y;
// equation
//   't.a.y' = 't.a.k'*'t.a.u';
//   't.b.y' = 't.b.k'*'t.b.u';
//   't.u' = time;
//   't.u' = 't.a.u';
//   't.a.y' = 't.b.u';
//   't.b.y' = 't.y';
//   't.y' = y;
// end M;
