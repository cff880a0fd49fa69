// Several arguments may modify one component if they say different things of it (section 7.2.4).
model A
  Real x, y;
end A;
model B
  A a;
  parameter Real p;
end B;
model M
  B b(a(x = 1), p = 2, a(y = time), p(start = 3), a.x.min = 0, p(max = 4));
end M;
// expect flat:
// model M
//   Real 'b.a.x'(min = 0.0);
//   Real 'b.a.y';
//   parameter Real 'b.p'(max = 4.0, start = 3.0) = 2.0;
// equation
//   'b.a.x' = 1.0;
//   'b.a.y' = time;
// end M;
