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
  p.i = 0.5;
end B;
model M
  parameter Boolean has = false;
  A a;
  B b if has;
  B c if not has;
equation
  connect(a.p, b.p);
  connect(a.p, c.p);
end M;
// expect flat:
// model M
//   parameter Boolean has = false;
//   Real 'a.p.v';
//   Real 'a.p.i';
//   Real 'c.p.v';
//   Real 'c.p.i';
// equation
//   'a.p.v' = 1.0;
//   'c.p.i' = 0.5;
//   'a.p.v' = 'c.p.v';
//   'a.p.i' + 'c.p.i' = 0.0;
// end M;
