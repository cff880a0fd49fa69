record Point
  Real x;
  Real y;
end Point;
record Point3
  extends Point;
  Real z;
end Point3;
model M
  Point3 p = Point3(1, 2, 3);
end M;
// expect flat:
// model M
//   Real 'p.x';
//   Real 'p.y';
//   Real 'p.z';
// equation
//   'p.x' = 1.0;
//   'p.y' = 2.0;
//   'p.z' = 3.0;
// end M;
