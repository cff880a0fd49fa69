// Left out of what is inherited, also over two classes and in either order; the other connections
// stay, and so does that of the model itself.
connector C
  Real v;
  flow Real i;
end C;
model R
  C p;
  parameter Real g = 1;
equation
  p.i = g*p.v - 1;
end R;
model A
  R a, b, c;
equation
  connect(a.p, b.p);
  connect(b.p, c.p);
end A;
model B
  extends A;
end B;
model M
  extends B(break connect(c.p, b.p));
  R d;
equation
  connect(c.p, d.p);
end M;
// expect flat:
// model M
//   Real 'a.p.v';
//   Real 'a.p.i';
//   parameter Real 'a.g' = 1.0;
//   Real 'b.p.v';
//   Real 'b.p.i';
//   parameter Real 'b.g' = 1.0;
//   Real 'c.p.v';
//   Real 'c.p.i';
//   parameter Real 'c.g' = 1.0;
//   Real 'd.p.v';
//   Real 'd.p.i';
//   parameter Real 'd.g' = 1.0;
// equation
//   'a.p.i' = 'a.g'*'a.p.v' - 1.0;
//   'b.p.i' = 'b.g'*'b.p.v' - 1.0;
//   'c.p.i' = 'c.g'*'c.p.v' - 1.0;
//   'd.p.i' = 'd.g'*'d.p.v' - 1.0;
//   'a.p.v' = 'b.p.v';
//   'a.p.i' + 'b.p.i' = 0.0;
//   'c.p.v' = 'd.p.v';
//   'c.p.i' + 'd.p.i' = 0.0;
// end M;
