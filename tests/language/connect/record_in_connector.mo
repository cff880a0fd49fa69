record R
  Real a, b;
end R;
connector C
  R r;
  flow Real f[2];
end C;
model B
  C c;
equation
  c.f = {1, time};
end B;
model M
  B a, b;
  C p;
equation
  connect(a.c, b.c);
  connect(a.c, p);
end M;
// expect flat:
// model M
//   Real 'a.c.r.a';
//   Real 'a.c.r.b';
//   Real 'a.c.f[1]';
//   Real 'a.c.f[2]';
//   Real 'b.c.r.a';
//   Real 'b.c.r.b';
//   Real 'b.c.f[1]';
//   Real 'b.c.f[2]';
//   Real 'p.r.a';
//   Real 'p.r.b';
//   Real 'p.f[1]';
//   Real 'p.f[2]';
// equation
//   'a.c.f[1]' = 1.0;
//   'a.c.f[2]' = time;
//   'b.c.f[1]' = 1.0;
//   'b.c.f[2]' = time;
//   'a.c.r.a' = 'b.c.r.a';
//   'a.c.r.a' = 'p.r.a';
//   'a.c.r.b' = 'b.c.r.b';
//   'a.c.r.b' = 'p.r.b';
//   'a.c.f[1]' + 'b.c.f[1]' + (-'p.f[1]') = 0.0;
//   'a.c.f[2]' + 'b.c.f[2]' + (-'p.f[2]') = 0.0;
//   'p.f[1]' = 0.0;
//   'p.f[2]' = 0.0;
// end M;
