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
  connect(a.p, a.p);
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
// equation
//   'a.p.v' = 1.0;
//   'a.p.i' = 0.0;
// end M;
