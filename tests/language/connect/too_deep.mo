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
// expect warning: 14:5 component 'b' of type 'B' is not balanced by itself: it has 1 unknown and 0 equations
// expect flat:
// model M
//   Real 'b.a.p.v';
//   Real 'b.a.p.i';
//   Real 'p.v';
//   Real 'p.i';
// equation
//   'b.a.p.v' = 1.0;
//   'b.a.p.v' = 'p.v';
//   'b.a.p.i' + (-'p.i') = 0.0;
//   'p.i' = 0.0;
// end M;
