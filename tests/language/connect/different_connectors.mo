connector Pin
  Real v;
  flow Real i;
end Pin;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model A
  Pin p;
equation
  p.v = 1;
end A;
model B
  Flange f;
equation
  f.phi = 1;
end B;
model M
  A a;
  B b;
equation
  connect(a.p, b.f);
end M;
// expect error: 23:3 'a.p' and 'b.f' cannot be connected: only one of them has a 'v'
