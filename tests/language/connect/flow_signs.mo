connector Pin
  Real v;
  flow Real i;
end Pin;
model Inner
  Pin p;
equation
  p.i = p.v;
end Inner;
model Outer
  Pin p;
  Inner a;
  Inner b;
equation
  connect(p, a.p);
  connect(p, b.p);
end Outer;
model M
  Outer o;
  Inner c;
equation
  connect(o.p, c.p);
end M;
// expect flat:
// model M
//   Real 'o.p.v';
//   Real 'o.p.i';
//   Real 'o.a.p.v';
//   Real 'o.a.p.i';
//   Real 'o.b.p.v';
//   Real 'o.b.p.i';
//   Real 'c.p.v';
//   Real 'c.p.i';
// equation
//   'o.a.p.i' = 'o.a.p.v';
//   'o.b.p.i' = 'o.b.p.v';
//   'c.p.i' = 'c.p.v';
//   'o.p.v' = 'o.a.p.v';
//   'o.p.v' = 'o.b.p.v';
//   -'o.p.i' + 'o.a.p.i' + 'o.b.p.i' = 0.0;
//   'o.p.v' = 'c.p.v';
//   'o.p.i' + 'c.p.i' = 0.0;
// end M;
