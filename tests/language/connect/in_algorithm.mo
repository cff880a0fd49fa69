connector Pin
  Real v;
  flow Real i;
end Pin;
model M
  Pin p, n;
algorithm
  connect(p, n);
end M;
// expect error: 8:3 'connect' is an equation and cannot stand in an algorithm
