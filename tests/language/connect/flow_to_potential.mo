connector P1
  Real x;
  flow Real f;
end P1;
connector P2
  flow Real x;
  Real f;
end P2;
model A
  P1 p;
equation
  p.x = 1;
end A;
model B
  P2 p;
equation
  p.f = 1;
end B;
model M
  A a;
  B b;
equation
  connect(a.p, b.p);
end M;
// expect error: 23:3 'a.p.x' and 'b.p.x' cannot be connected: one is a potential, the other a flow variable
// expect error: 23:3 'a.p.f' and 'b.p.f' cannot be connected: one is a flow variable, the other a potential
