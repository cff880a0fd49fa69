// Section 5.4: of an outer component what its own type has is seen.
record R
  Real x;
end R;
record S
  extends R;
  Real y;
end S;
model A
  outer R r;
  Real z = r.y;
end A;
model M
  inner S r(x = 1, y = 2);
  A a;
end M;
// expect error: 11:14 'R' has no component 'y'
