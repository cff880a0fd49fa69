connector B
  Boolean on;
  Integer n;
  flow Real f[2];
end B;
model A
  B b;
equation
  b.on = time > 1;
  b.n = 3;
  b.f = zeros(2);
end A;
model C
  B b;
  Boolean x = b.on;
  Integer k = b.n;
end C;
model M
  A a;
  C c;
equation
  connect(a.b, c.b);
end M;
// expect warning: 19:5 component 'a' of type 'A' is not balanced by itself: it has 4 unknowns and 6 equations
// expect warning: 20:5 component 'c' of type 'C' is not balanced by itself: it has 6 unknowns and 4 equations
// expect flat:
// model M
//   Boolean 'a.b.on';
//   Integer 'a.b.n';
//   Real 'a.b.f[1]';
//   Real 'a.b.f[2]';
//   Boolean 'c.b.on';
//   Integer 'c.b.n';
//   Real 'c.b.f[1]';
//   Real 'c.b.f[2]';
//   Boolean 'c.x';
//   Integer 'c.k';
// equation
//   'a.b.on' = time > 1.0;
//   'a.b.n' = 3;
//   'a.b.f[1]' = 0.0;
//   'a.b.f[2]' = 0.0;
//   'c.x' = 'c.b.on';
//   'c.k' = 'c.b.n';
//   'a.b.on' = 'c.b.on';
//   'a.b.n' = 'c.b.n';
//   'a.b.f[1]' + 'c.b.f[1]' = 0.0;
//   'a.b.f[2]' + 'c.b.f[2]' = 0.0;
// end M;
