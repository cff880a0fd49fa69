model Leaf
  outer Real x;
  Real y = x;
end Leaf;
model Middle
  inner outer Real x;
  Leaf l;
end Middle;
model M
  inner Real x = time;
  Middle m;
end M;
// expect flat:
// model M
//   Real x;
//   Real 'm.l.y';
// equation
//   x = time;
//   'm.l.y' = x;
// end M;
