connector Pin
  Real v;
  flow Real i;
  parameter Real rating = 10;
  constant Integer phases = 3;
end Pin;
model A
  Pin p;
equation
  p.v = p.i;
end A;
model M
  A a;
  A b(p(rating = 5));
equation
  connect(a.p, b.p);
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
//   parameter Real 'a.p.rating' = 10.0;
//   constant Integer 'a.p.phases' = 3;
//   Real 'b.p.v';
//   Real 'b.p.i';
//   parameter Real 'b.p.rating' = 5.0;
//   constant Integer 'b.p.phases' = 3;
// equation
//   'a.p.v' = 'a.p.i';
//   'b.p.v' = 'b.p.i';
//   'a.p.v' = 'b.p.v';
//   'a.p.i' + 'b.p.i' = 0.0;
//   assert('a.p.rating' == 'b.p.rating', "a.p.rating and b.p.rating are connected, but have different values");
// end M;
