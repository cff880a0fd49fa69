record R
  Real a = 1;
  Real b = 2;
end R;
model M
  R r(a = 5);
  R s = R(b = 7);
end M;
// expect flat:
// model M
//   Real 'r.a';
//   Real 'r.b';
//   Real 's.a';
//   Real 's.b';
// equation
//   'r.a' = 5.0;
//   'r.b' = 2.0;
//   's.a' = 1.0;
//   's.b' = 7.0;
// end M;
