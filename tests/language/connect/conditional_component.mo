connector Pin
  Real v;
  flow Real i;
end Pin;
model B
  Pin p;
equation
  p.v = 2*p.i;
end B;
model A
  parameter Boolean with_heat = false;
  Pin p;
  Pin heat if with_heat;
  B loss if with_heat;
equation
  p.v = p.i + 1;
  connect(heat, loss.p);
end A;
model M
  A a;
  A c(with_heat = true);
  B b;
  B d;
equation
  connect(a.p, c.p);
  connect(a.heat, b.p);
  connect(c.heat, d.p);
end M;
// expect flat:
// model M
//   parameter Boolean 'a.with_heat' = false;
//   Real 'a.p.v';
//   Real 'a.p.i';
//   parameter Boolean 'c.with_heat' = true;
//   Real 'c.p.v';
//   Real 'c.p.i';
//   Real 'c.heat.v';
//   Real 'c.heat.i';
//   Real 'c.loss.p.v';
//   Real 'c.loss.p.i';
//   Real 'b.p.v';
//   Real 'b.p.i';
//   Real 'd.p.v';
//   Real 'd.p.i';
// equation
//   'a.p.v' = 'a.p.i' + 1.0;
//   'c.loss.p.v' = 2.0*'c.loss.p.i';
//   'c.p.v' = 'c.p.i' + 1.0;
//   'b.p.v' = 2.0*'b.p.i';
//   'd.p.v' = 2.0*'d.p.i';
//   'c.heat.v' = 'c.loss.p.v';
//   -'c.heat.i' + 'c.loss.p.i' = 0.0;
//   'a.p.v' = 'c.p.v';
//   'a.p.i' + 'c.p.i' = 0.0;
//   'c.heat.v' = 'd.p.v';
//   'c.heat.i' + 'd.p.i' = 0.0;
//   'b.p.i' = 0.0;
// end M;
