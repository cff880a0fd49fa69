connector C
  Real e;
  replaceable flow Real f;
end C;
model A
  replaceable parameter Real p[2] = {1, 2};
  replaceable input Real u;
  C c(redeclare Real f);
equation
  c.e = 1;
end A;
model M
  A a(redeclare Real p = {3, 4}, redeclare Real u = time);
  C d;
equation
  connect(a.c, d);
end M;
// expect flat:
// model M
//   parameter Real 'a.p[1]' = 3.0;
//   parameter Real 'a.p[2]' = 4.0;
//   Real 'a.u';
//   Real 'a.c.e';
//   Real 'a.c.f';
//   Real 'd.e';
//   Real 'd.f';
// equation
//   'a.u' = time;
//   'a.c.e' = 1.0;
//   'a.c.e' = 'd.e';
//   'a.c.f' + (-'d.f') = 0.0;
//   'd.f' = 0.0;
// end M;
