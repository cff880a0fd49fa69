connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.i = p.v - 1;
end A;
model M
  A a, b, c;
equation
  connect(a.p, b.p);
  connect(b.p, c.p);
  connect(c.p, a.p);
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
//   Real 'b.p.v';
//   Real 'b.p.i';
//   Real 'c.p.v';
//   Real 'c.p.i';
// equation
//   'a.p.i' = 'a.p.v' - 1.0;
//   'b.p.i' = 'b.p.v' - 1.0;
//   'c.p.i' = 'c.p.v' - 1.0;
//   'a.p.v' = 'b.p.v';
//   'a.p.v' = 'c.p.v';
//   'a.p.i' + 'b.p.i' + 'c.p.i' = 0.0;
// end M;
