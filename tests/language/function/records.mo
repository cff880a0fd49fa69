record Point
  Real x;
  Real y;
end Point;
function mirror
  input Point p;
  output Point q;
algorithm
  q.x := -p.x;
  q.y := p.y;
end mirror;
model M
  Point p = Point(time, 2);
  Point q = mirror(p);
  Real x = (mirror(q)).x;
end M;
// expect flat:
// record Point
//   Real x;
//   Real y;
// end Point;
// function mirror
//   input Point p;
//   output Point q;
// algorithm
//   q.x := -p.x;
//   q.y := p.y;
// end mirror;
// model M
//   Real 'p.x';
//   Real 'p.y';
//   Real 'q.x';
//   Real 'q.y';
//   Real x;
// equation
//   'p.x' = time;
//   'p.y' = 2.0;
//   'q.x' = (mirror(Point('p.x', 'p.y'))).x;
//   'q.y' = (mirror(Point('p.x', 'p.y'))).y;
//   x = (mirror(Point('q.x', 'q.y'))).x;
// end M;
