record R
  Real x;
end R;
model M
  R r = R(z = 1);
end M;
// expect error: 5:11 record 'R' has no member 'z'
