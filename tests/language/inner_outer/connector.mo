connector Pin
  Real v;
  flow Real i;
end Pin;
model R
  Pin p;
equation
  p.v = 2*p.i + 1;
end R;
model A
  R r;
  outer Pin ground;
equation
  connect(r.p, ground);
end A;
model M
  inner Pin ground;
  A a;
  A b;
equation
  ground.v = 0;
end M;
// expect flat:
// model M
//   Real 'ground.v';
//   Real 'ground.i';
//   Real 'a.r.p.v';
//   Real 'a.r.p.i';
//   Real 'b.r.p.v';
//   Real 'b.r.p.i';
// equation
//   'a.r.p.v' = 2.0*'a.r.p.i' + 1.0;
//   'b.r.p.v' = 2.0*'b.r.p.i' + 1.0;
//   'ground.v' = 0.0;
//   'a.r.p.v' = 'ground.v';
//   'a.r.p.v' = 'b.r.p.v';
//   'a.r.p.i' + 'ground.i' + 'b.r.p.i' = 0.0;
// end M;
