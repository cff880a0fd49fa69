connector Pin
  Real v;
  flow Real i;
end Pin;
model Bus
  Pin node;
equation
  node.i = der(node.v);
end Bus;
model Resistor
  Pin p;
equation
  p.v = p.i;
end Resistor;
model User
  outer Bus bus;
  Resistor r;
equation
  connect(r.p, bus.node);
end User;
model M
  inner Bus bus;
  User a, b;
end M;
// expect flat:
// model M
//   Real 'bus.node.v';
//   Real 'bus.node.i';
//   Real 'a.r.p.v';
//   Real 'a.r.p.i';
//   Real 'b.r.p.v';
//   Real 'b.r.p.i';
// equation
//   'bus.node.i' = der('bus.node.v');
//   'a.r.p.v' = 'a.r.p.i';
//   'b.r.p.v' = 'b.r.p.i';
//   'a.r.p.v' = 'bus.node.v';
//   'a.r.p.v' = 'b.r.p.v';
//   'a.r.p.i' + 'bus.node.i' + 'b.r.p.i' = 0.0;
// end M;
