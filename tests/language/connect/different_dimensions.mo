connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p[2];
equation
  p.v = {1, 2};
end A;
model B
  Pin p[2, 1];
equation
  p.i = [1; 2];
end B;
model M
  A a;
  B b;
equation
  connect(a.p, b.p);
end M;
// expect error: 19:3 connectors of different sizes: 'a.p' is [2], 'b.p' is [2, 1]
