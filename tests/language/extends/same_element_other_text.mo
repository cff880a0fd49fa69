// Descriptions and annotations make no difference between repeated elements (section 7.1).
model A
  Real x = time "position";
  type T = Real "one";
end A;
model M
  extends A;
  Real x = time "the position" annotation(Dialog(group = "a"));
  type T = Real "another";
  T y = x;
end M;
// expect flat:
// model M
//   Real x "the position";
//   Real y;
// equation
//   x = time;
//   y = x;
// end M;
