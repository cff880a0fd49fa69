connector Pin
  Real v;
  flow Real i;
end Pin;
model M
  Pin p, n;
initial equation
  connect(p, n);
equation
  p.v = 1;
  n.v = 2;
end M;
// expect error: 8:3 'connect' cannot be used in an initial equation section
