// Connect equations count from inside and from outside; those of absent components do not.
connector Pin
  Real v;
  flow Real i;
end Pin;
connector In = input Real;
connector Out = output Real;
model Leaf
  parameter Boolean has_q = false;
  Pin p;
  Pin q if has_q;
  In u[2];
  Integer n = cardinality(p);
  Integer m = cardinality(u[1]) + 10*cardinality(u[2]);
equation
  if cardinality(p) == 0 then
    p.v = 5;
  else
    p.i = p.v;
  end if;
end Leaf;
model Box
  Pin p;
  Leaf a, b;
  Out y;
  Integer n = cardinality(p);
equation
  y = 1;
  a.u = {1, 2};
  b.u = {1, 2};
  connect(p, a.p);
  connect(a.p, b.p);
  connect(b.p, b.q);
end Box;
model M
  Box box, lonely;
  Leaf leaf;
  In u[2];
  Real x = sum(leaf.u);
equation
  connect(box.p, leaf.p);
  connect(u[1], leaf.u[1]);
  leaf.u[2] = 2;
  assert(cardinality(box.p) == 2 and cardinality(lonely.p) == 1 and cardinality(box.b.p) == 1, "counts");
end M;
// expect flat:
// model M
//   Real 'box.p.v';
//   Real 'box.p.i';
//   parameter Boolean 'box.a.has_q' = false;
//   Real 'box.a.p.v';
//   Real 'box.a.p.i';
//   Real 'box.a.u[1]';
//   Real 'box.a.u[2]';
//   Integer 'box.a.n';
//   Integer 'box.a.m';
//   parameter Boolean 'box.b.has_q' = false;
//   Real 'box.b.p.v';
//   Real 'box.b.p.i';
//   Real 'box.b.u[1]';
//   Real 'box.b.u[2]';
//   Integer 'box.b.n';
//   Integer 'box.b.m';
//   Real 'box.y';
//   Integer 'box.n';
//   Real 'lonely.p.v';
//   Real 'lonely.p.i';
//   parameter Boolean 'lonely.a.has_q' = false;
//   Real 'lonely.a.p.v';
//   Real 'lonely.a.p.i';
//   Real 'lonely.a.u[1]';
//   Real 'lonely.a.u[2]';
//   Integer 'lonely.a.n';
//   Integer 'lonely.a.m';
//   parameter Boolean 'lonely.b.has_q' = false;
//   Real 'lonely.b.p.v';
//   Real 'lonely.b.p.i';
//   Real 'lonely.b.u[1]';
//   Real 'lonely.b.u[2]';
//   Integer 'lonely.b.n';
//   Integer 'lonely.b.m';
//   Real 'lonely.y';
//   Integer 'lonely.n';
//   parameter Boolean 'leaf.has_q' = false;
//   Real 'leaf.p.v';
//   Real 'leaf.p.i';
//   Real 'leaf.u[1]';
//   Real 'leaf.u[2]';
//   Integer 'leaf.n';
//   Integer 'leaf.m';
//   input Real 'u[1]';
//   input Real 'u[2]';
//   Real x;
// equation
//   'box.a.n' = 2;
//   'box.a.m' = 0;
//   'box.a.p.i' = 'box.a.p.v';
//   'box.b.n' = 1;
//   'box.b.m' = 0;
//   'box.b.p.i' = 'box.b.p.v';
//   'box.n' = 2;
//   'box.y' = 1.0;
//   'box.a.u[1]' = 1.0;
//   'box.a.u[2]' = 2.0;
//   'box.b.u[1]' = 1.0;
//   'box.b.u[2]' = 2.0;
//   'lonely.a.n' = 2;
//   'lonely.a.m' = 0;
//   'lonely.a.p.i' = 'lonely.a.p.v';
//   'lonely.b.n' = 1;
//   'lonely.b.m' = 0;
//   'lonely.b.p.i' = 'lonely.b.p.v';
//   'lonely.n' = 1;
//   'lonely.y' = 1.0;
//   'lonely.a.u[1]' = 1.0;
//   'lonely.a.u[2]' = 2.0;
//   'lonely.b.u[1]' = 1.0;
//   'lonely.b.u[2]' = 2.0;
//   'leaf.n' = 1;
//   'leaf.m' = 1;
//   'leaf.p.i' = 'leaf.p.v';
//   x = 'leaf.u[1]' + 'leaf.u[2]';
//   'leaf.u[2]' = 2.0;
//   'box.p.v' = 'box.a.p.v';
//   'box.p.v' = 'box.b.p.v';
//   -'box.p.i' + 'box.a.p.i' + 'box.b.p.i' = 0.0;
//   'lonely.p.v' = 'lonely.a.p.v';
//   'lonely.p.v' = 'lonely.b.p.v';
//   -'lonely.p.i' + 'lonely.a.p.i' + 'lonely.b.p.i' = 0.0;
//   'box.p.v' = 'leaf.p.v';
//   'box.p.i' + 'leaf.p.i' = 0.0;
//   'u[1]' = 'leaf.u[1]';
//   'lonely.p.i' = 0.0;
//   assert(true, "counts");
// end M;
