record R
  Real x;
end R;
model M
  R r = R(1);
  Real y = r.z;
end M;
// expect error: 6:14 'R' has no component 'z'
