model A
  outer Real p[6];
  Real x = p[5];
end A;
model B
  outer Real p;
  Real x = p;
end B;
model C
  outer Real p[:];
  Real x = p[5];
end C;
model M
  inner Real p[10] = fill(time, 10);
  A a;
  B b;
  C c;
end M;
// expect error: 2:14 'a.p' is declared outer as Real[6], but inner as Real[10]
// expect note: 14:14 the inner component is here
// expect error: 6:14 'b.p' is declared outer as Real, but inner as Real[10]
// expect note: 14:14 the inner component is here
