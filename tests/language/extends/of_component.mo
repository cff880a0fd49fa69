model M
  Real x = 1;
  extends x;
end M;
// expect error: 3:11 'x' is a component, not a base class
