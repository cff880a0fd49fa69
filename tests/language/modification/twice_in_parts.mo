// The same is said twice, in different words.
record R
  Real x = 0, y = 0;
end R;
model A
  Real x;
end A;
model B
  A a;
  R r;
  replaceable Real z = 0;
end B;
model M
  B b(a.x = 1, a(x = 2));
  B c(a.x.start = 1, a(x(start = 2)), r = R(1, 2), r(y = 3));
  B d(redeclare Real z = 1, z = 2, r(x = 1), r.y = 2, a.x = 1);
end M;
// expect error: 14:16 'a' is modified twice
// expect error: 15:22 'a' is modified twice
// expect error: 15:52 'r' is modified twice
// expect error: 16:29 'z' is modified twice
