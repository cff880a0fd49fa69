connector RealInput = input Real;
connector RealOutput = output Real;
block S
  RealOutput y[3] = {1, 2, time};
end S;
block G
  RealInput u[3];
  Real s = sum(u);
end G;
model M
  S s;
  G g;
  G h;
equation
  connect(s.y, g.u);
  connect(s.y[1:2], h.u[2:3]);
  connect(s.y[3], h.u[1]);
end M;
// expect flat:
// model M
//   Real 's.y[1]';
//   Real 's.y[2]';
//   Real 's.y[3]';
//   Real 'g.u[1]';
//   Real 'g.u[2]';
//   Real 'g.u[3]';
//   Real 'g.s';
//   Real 'h.u[1]';
//   Real 'h.u[2]';
//   Real 'h.u[3]';
//   Real 'h.s';
// equation
//   's.y[1]' = 1.0;
//   's.y[2]' = 2.0;
//   's.y[3]' = time;
//   'g.s' = 'g.u[1]' + 'g.u[2]' + 'g.u[3]';
//   'h.s' = 'h.u[1]' + 'h.u[2]' + 'h.u[3]';
//   's.y[1]' = 'g.u[1]';
//   's.y[1]' = 'h.u[2]';
//   's.y[2]' = 'g.u[2]';
//   's.y[2]' = 'h.u[3]';
//   's.y[3]' = 'g.u[3]';
//   's.y[3]' = 'h.u[1]';
// end M;
