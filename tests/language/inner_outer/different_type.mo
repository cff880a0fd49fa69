model A
  outer Integer n;
  Real x = n;
end A;
model M
  inner Real n = time;
  A a;
end M;
// expect error: 2:17 'a.n' is declared outer as Integer, but inner as Real
// expect note: 6:14 the inner component is here
