// Section 9.1: connectors of connectors, or those of a component.
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
  A a;
end B;
model M
  B b;
  Pin p;
equation
  connect(b.a.p, p);
end M;
// expect error: 18:11 'b.a.p' is a connector of a component of a component: connect it inside 'B'
