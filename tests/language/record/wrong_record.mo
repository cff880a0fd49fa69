record R
  Real x;
end R;
record S
  Real y;
end S;
model M
  R r = S(1);
end M;
// expect error: 8:9 the binding of 'r' must be R, but this is S
