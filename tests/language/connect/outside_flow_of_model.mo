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
model M "Its own connectors are connected to nothing outside: their flows are zero"
  Pin p, n;
  R r;
equation
  connect(p, r.p);
  connect(r.n, n);
end M;
// expect flat:
// model M "Its own connectors are connected to nothing outside: their flows are zero"
//   Real 'p.v';
//   Real 'p.i';
//   Real 'n.v';
//   Real 'n.i';
//   Real 'r.p.v';
//   Real 'r.p.i';
//   Real 'r.n.v';
//   Real 'r.n.i';
// equation
//   'r.p.v' - 'r.n.v' = 'r.p.i';
//   'r.p.i' + 'r.n.i' = 0.0;
//   'p.v' = 'r.p.v';
//   -'p.i' + 'r.p.i' = 0.0;
//   'r.n.v' = 'n.v';
//   'r.n.i' + (-'n.i') = 0.0;
//   'p.i' = 0.0;
//   'n.i' = 0.0;
// end M;
