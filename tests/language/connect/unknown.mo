connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = 1;
end A;
model M
  A a;
equation
  connect(a.p, a.q);
end M;
// expect error: 13:18 'A' has no component 'q'
