record Point
  Real x;
  Real y;
end Point;
record Line
  Point a;
  Point b;
end Line;
model M
  parameter Line l = Line(Point(0, 0), Point(1, 2));
  Real dx = l.b.x - l.a.x;
end M;
// expect flat:
// model M
//   parameter Real 'l.a.x' = 0.0;
//   parameter Real 'l.a.y' = 0.0;
//   parameter Real 'l.b.x' = 1.0;
//   parameter Real 'l.b.y' = 2.0;
//   Real dx;
// equation
//   dx = 'l.b.x' - 'l.a.x';
// end M;
