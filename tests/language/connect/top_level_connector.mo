connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = p.i;
end A;
model M
  Pin p;
  A a;
equation
  connect(p, a.p);
end M;
// expect flat:
// model M
//   Real 'p.v';
//   Real 'p.i';
//   Real 'a.p.v';
//   Real 'a.p.i';
// equation
//   'a.p.v' = 'a.p.i';
//   'p.v' = 'a.p.v';
//   -'p.i' + 'a.p.i' = 0.0;
//   'p.i' = 0.0;
// end M;
