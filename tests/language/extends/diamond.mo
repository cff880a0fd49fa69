model Top
  Real t;
equation
  t = 1;
end Top;
model L
  extends Top;
  Real l = t;
end L;
model R
  extends Top;
  Real r = t;
end R;
model M
  extends L;
  extends R;
end M;
// expect flat:
// model M
//   Real t;
//   Real l;
//   Real r;
// equation
//   l = t;
//   r = t;
//   t = 1.0;
// end M;
