model M
  Real x = 1;
  x y;
end M;
// expect error: 3:3 'x' is a component, not a type
