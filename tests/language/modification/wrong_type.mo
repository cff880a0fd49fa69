model A
  parameter Integer n = 1;
end A;
model M
  A a(n = 2.5);
end M;
// expect error: 5:11 the binding of 'a.n' must be Integer, but this is Real
