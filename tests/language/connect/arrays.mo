connector Pin
  Real v;
  flow Real i;
end Pin;
model R
  Pin p;
  Pin n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end R;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  parameter Integer n = 3;
  R r[n];
  R all[n];
  Ground g;
equation
  for k in 1:n - 1 loop
    connect(r[k].n, r[k + 1].p);
  end for;
  connect(r.p, all.p);
  connect(all[1].n, r[n].n);
  connect(g.p, r[1].p);
end M;
// expect flat:
// model M
//   parameter Integer n = 3;
//   Real 'r[1].p.v';
//   Real 'r[1].p.i';
//   Real 'r[1].n.v';
//   Real 'r[1].n.i';
//   Real 'r[2].p.v';
//   Real 'r[2].p.i';
//   Real 'r[2].n.v';
//   Real 'r[2].n.i';
//   Real 'r[3].p.v';
//   Real 'r[3].p.i';
//   Real 'r[3].n.v';
//   Real 'r[3].n.i';
//   Real 'all[1].p.v';
//   Real 'all[1].p.i';
//   Real 'all[1].n.v';
//   Real 'all[1].n.i';
//   Real 'all[2].p.v';
//   Real 'all[2].p.i';
//   Real 'all[2].n.v';
//   Real 'all[2].n.i';
//   Real 'all[3].p.v';
//   Real 'all[3].p.i';
//   Real 'all[3].n.v';
//   Real 'all[3].n.i';
//   Real 'g.p.v';
//   Real 'g.p.i';
// equation
//   'r[1].p.v' - 'r[1].n.v' = 'r[1].p.i';
//   'r[1].p.i' + 'r[1].n.i' = 0.0;
//   'r[2].p.v' - 'r[2].n.v' = 'r[2].p.i';
//   'r[2].p.i' + 'r[2].n.i' = 0.0;
//   'r[3].p.v' - 'r[3].n.v' = 'r[3].p.i';
//   'r[3].p.i' + 'r[3].n.i' = 0.0;
//   'all[1].p.v' - 'all[1].n.v' = 'all[1].p.i';
//   'all[1].p.i' + 'all[1].n.i' = 0.0;
//   'all[2].p.v' - 'all[2].n.v' = 'all[2].p.i';
//   'all[2].p.i' + 'all[2].n.i' = 0.0;
//   'all[3].p.v' - 'all[3].n.v' = 'all[3].p.i';
//   'all[3].p.i' + 'all[3].n.i' = 0.0;
//   'g.p.v' = 0.0;
//   'r[1].n.v' = 'r[2].p.v';
//   'r[1].n.v' = 'all[2].p.v';
//   'r[1].n.i' + 'r[2].p.i' + 'all[2].p.i' = 0.0;
//   'r[2].n.v' = 'r[3].p.v';
//   'r[2].n.v' = 'all[3].p.v';
//   'r[2].n.i' + 'r[3].p.i' + 'all[3].p.i' = 0.0;
//   'r[1].p.v' = 'all[1].p.v';
//   'r[1].p.v' = 'g.p.v';
//   'r[1].p.i' + 'all[1].p.i' + 'g.p.i' = 0.0;
//   'all[1].n.v' = 'r[3].n.v';
//   'all[1].n.i' + 'r[3].n.i' = 0.0;
//   'all[2].n.i' = 0.0;
//   'all[3].n.i' = 0.0;
// end M;
