connector A
  Real v(unit = "V");
  flow Real i(unit = "A");
end A;
connector B
  Real v(unit = "m");
  flow Real i(unit = "A");
end B;
model X
  A p;
equation
  p.v = 1;
end X;
model Y
  B p;
equation
  p.i = 1;
end Y;
model M
  X x;
  Y y;
equation
  connect(x.p, y.p);
end M;
// expect warning: 23:3 the sides of the equation have different units: V and m
// expect flat:
// model M
//   Real 'x.p.v'(unit = "V");
//   Real 'x.p.i'(unit = "A");
//   Real 'y.p.v'(unit = "m");
//   Real 'y.p.i'(unit = "A");
// equation
//   'x.p.v' = 1.0;
//   'y.p.i' = 1.0;
//   'x.p.v' = 'y.p.v';
//   'x.p.i' + 'y.p.i' = 0.0;
// end M;
