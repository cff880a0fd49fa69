connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = p.i + 1;
end A;
model M
  parameter Boolean closed = true;
  A a;
  A b;
equation
  if closed then
    connect(a.p, b.p);
  end if;
end M;
// expect flat:
// model M
//   parameter Boolean closed = true;
//   Real 'a.p.v';
//   Real 'a.p.i';
//   Real 'b.p.v';
//   Real 'b.p.i';
// equation
//   'a.p.v' = 'a.p.i' + 1.0;
//   'b.p.v' = 'b.p.i' + 1.0;
//   'a.p.v' = 'b.p.v';
//   'a.p.i' + 'b.p.i' = 0.0;
// end M;
