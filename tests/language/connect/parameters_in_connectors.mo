connector Pin
  parameter Integer m = 1;
  Real v[m];
  flow Real i[m];
end Pin;
model A
  Pin p(m = 2);
equation
  p.v = p.i;
end A;
model M
  A a;
  A b;
equation
  connect(a.p, b.p);
end M;
// expect flat:
// model M
//   parameter Integer 'a.p.m' = 2;
//   Real 'a.p.v[1]';
//   Real 'a.p.v[2]';
//   Real 'a.p.i[1]';
//   Real 'a.p.i[2]';
//   parameter Integer 'b.p.m' = 2;
//   Real 'b.p.v[1]';
//   Real 'b.p.v[2]';
//   Real 'b.p.i[1]';
//   Real 'b.p.i[2]';
// equation
//   'a.p.v[1]' = 'a.p.i[1]';
//   'a.p.v[2]' = 'a.p.i[2]';
//   'b.p.v[1]' = 'b.p.i[1]';
//   'b.p.v[2]' = 'b.p.i[2]';
//   'a.p.v[1]' = 'b.p.v[1]';
//   'a.p.v[2]' = 'b.p.v[2]';
//   'a.p.i[1]' + 'b.p.i[1]' = 0.0;
//   'a.p.i[2]' + 'b.p.i[2]' = 0.0;
// end M;
