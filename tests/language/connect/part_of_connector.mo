connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p, n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end Part;
model M
  Part a, b;
equation
  connect(a.p.v, b.p.v);
end M;
// expect error: 14:11 'a.p.v' is not a connector, but a part of one: connect 'a.p'
