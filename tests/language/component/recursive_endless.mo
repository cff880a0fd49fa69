model Tree
  parameter Integer depth = 1;
  Real x = depth;
  Tree left(depth = depth + 1) if depth > 0;
end Tree;
// expect error: 4:3 components are nested more than 200 deep, 'Tree' in itself perhaps
