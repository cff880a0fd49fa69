connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
  Pin n;
equation
  p.v = time;
  n.v = 2;
end A;
model M
  A a;
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
//   Real 'a.n.v';
//   Real 'a.n.i';
// equation
//   'a.p.v' = time;
//   'a.n.v' = 2.0;
//   'a.p.i' = 0.0;
//   'a.n.i' = 0.0;
// end M;
