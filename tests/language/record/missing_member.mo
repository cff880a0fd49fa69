record R
  Real x;
  Real y;
end R;
model M
  R r = R(1);
end M;
// expect error: 6:9 member 'y' of record 'R' is missing
