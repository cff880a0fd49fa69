// A constant member without a value is an input of the constructor (section 12.6.1).
record R
  Integer a;
  constant Integer b;
  constant Integer c = 42;
end R;
model M
  R r = R(1, 2);
  Integer n = r.b + r.c;
end M;
// expect flat:
// model M
//   Integer 'r.a';
//   constant Integer 'r.b' = 2;
//   constant Integer 'r.c' = 42;
//   Integer n;
// equation
//   'r.a' = 1;
//   n = 44;
// end M;
