// Two components of the model's own class, whose conditions never become false.
model Tree
  parameter Integer depth = 1;
  Real x = depth;
  Tree left(depth = depth + 1) if depth > 0;
  Tree right(depth = depth + 1) if depth > 0;
end Tree;
// expect error: 5:3 components are nested more than 200 deep, 'Tree' in itself perhaps
