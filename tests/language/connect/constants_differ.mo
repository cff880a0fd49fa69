connector Pin
  Real v;
  flow Real i;
  constant Integer phases = 3;
end Pin;
model A
  Pin p;
equation
  p.v = p.i;
end A;
model M
  A a;
  A b(p(phases = 1));
equation
  connect(a.p, b.p);
end M;
// expect error: 15:3 a.p.phases and b.p.phases are connected, but have different values
