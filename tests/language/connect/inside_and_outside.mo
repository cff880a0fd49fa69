connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Pair "Its own pins are outside connectors"
  Pin p, n;
  Resistor a, b;
equation
  connect(p, a.p);
  connect(p, b.p);
  connect(a.n, n);
  connect(b.n, n);
end Pair;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Source
  Pin p;
equation
  p.v = time;
end Source;
model M
  Pair pair;
  Ground g;
  Source s;
equation
  connect(pair.n, g.p);
  connect(s.p, pair.p);
end M;
// expect flat:
// model M
//   Real 'pair.p.v';
//   Real 'pair.p.i';
//   Real 'pair.n.v';
//   Real 'pair.n.i';
//   Real 'pair.a.p.v';
//   Real 'pair.a.p.i';
//   Real 'pair.a.n.v';
//   Real 'pair.a.n.i';
//   parameter Real 'pair.a.R' = 1.0;
//   Real 'pair.b.p.v';
//   Real 'pair.b.p.i';
//   Real 'pair.b.n.v';
//   Real 'pair.b.n.i';
//   parameter Real 'pair.b.R' = 1.0;
//   Real 'g.p.v';
//   Real 'g.p.i';
//   Real 's.p.v';
//   Real 's.p.i';
// equation
//   'pair.a.p.v' - 'pair.a.n.v' = 'pair.a.R'*'pair.a.p.i';
//   'pair.a.p.i' + 'pair.a.n.i' = 0.0;
//   'pair.b.p.v' - 'pair.b.n.v' = 'pair.b.R'*'pair.b.p.i';
//   'pair.b.p.i' + 'pair.b.n.i' = 0.0;
//   'g.p.v' = 0.0;
//   's.p.v' = time;
//   'pair.p.v' = 'pair.a.p.v';
//   'pair.p.v' = 'pair.b.p.v';
//   -'pair.p.i' + 'pair.a.p.i' + 'pair.b.p.i' = 0.0;
//   'pair.a.n.v' = 'pair.n.v';
//   'pair.a.n.v' = 'pair.b.n.v';
//   'pair.a.n.i' + (-'pair.n.i') + 'pair.b.n.i' = 0.0;
//   'pair.n.v' = 'g.p.v';
//   'pair.n.i' + 'g.p.i' = 0.0;
//   's.p.v' = 'pair.p.v';
//   's.p.i' + 'pair.p.i' = 0.0;
// end M;
