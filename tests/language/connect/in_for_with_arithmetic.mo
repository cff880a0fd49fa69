connector Pin
  Real v;
  flow Real i;
end Pin;
model Cell
  Pin p, n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end Cell;
model Source
  Pin p;
  parameter Real v = 5;
equation
  p.v = v;
end Source;
model M
  parameter Integer n = 3;
  Cell c[n];
  Source s;
  Source g(v = 0);
equation
  for k in 1:n - 1 loop
    connect(c[k].n, c[k + 1].p);
  end for;
  connect(s.p, c[1].p);
  connect(c[n].n, g.p);
end M;
// expect flat:
// model M
//   parameter Integer n = 3;
//   Real 'c[1].p.v';
//   Real 'c[1].p.i';
//   Real 'c[1].n.v';
//   Real 'c[1].n.i';
//   Real 'c[2].p.v';
//   Real 'c[2].p.i';
//   Real 'c[2].n.v';
//   Real 'c[2].n.i';
//   Real 'c[3].p.v';
//   Real 'c[3].p.i';
//   Real 'c[3].n.v';
//   Real 'c[3].n.i';
//   Real 's.p.v';
//   Real 's.p.i';
//   parameter Real 's.v' = 5.0;
//   Real 'g.p.v';
//   Real 'g.p.i';
//   parameter Real 'g.v' = 0.0;
// equation
//   'c[1].p.v' - 'c[1].n.v' = 'c[1].p.i';
//   'c[1].p.i' + 'c[1].n.i' = 0.0;
//   'c[2].p.v' - 'c[2].n.v' = 'c[2].p.i';
//   'c[2].p.i' + 'c[2].n.i' = 0.0;
//   'c[3].p.v' - 'c[3].n.v' = 'c[3].p.i';
//   'c[3].p.i' + 'c[3].n.i' = 0.0;
//   's.p.v' = 's.v';
//   'g.p.v' = 'g.v';
//   'c[1].n.v' = 'c[2].p.v';
//   'c[1].n.i' + 'c[2].p.i' = 0.0;
//   'c[2].n.v' = 'c[3].p.v';
//   'c[2].n.i' + 'c[3].p.i' = 0.0;
//   's.p.v' = 'c[1].p.v';
//   's.p.i' + 'c[1].p.i' = 0.0;
//   'c[3].n.v' = 'g.p.v';
//   'c[3].n.i' + 'g.p.i' = 0.0;
// end M;
