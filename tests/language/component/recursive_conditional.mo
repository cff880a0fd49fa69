model Tree
  parameter Integer depth = 3;
  Real x = depth;
  Tree left(depth = depth - 1) if depth > 1;
end Tree;
// expect flat:
// model Tree
//   parameter Integer depth = 3;
//   Real x;
//   parameter Integer 'left.depth' = depth - 1;
//   Real 'left.x';
//   parameter Integer 'left.left.depth' = 'left.depth' - 1;
//   Real 'left.left.x';
// equation
//   x = depth;
//   'left.x' = 'left.depth';
//   'left.left.x' = 'left.left.depth';
// end Tree;
