connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = 1;
end A;
model B
  Pin p;
equation
  p.i = 1;
end B;
model M
  A a;
  B b;
equation
  connect(a.p, b.p);
  connect(b.p, a.p);
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
//   Real 'b.p.v';
//   Real 'b.p.i';
// equation
//   'a.p.v' = 1.0;
//   'b.p.i' = 1.0;
//   'a.p.v' = 'b.p.v';
//   'a.p.i' + 'b.p.i' = 0.0;
// end M;
