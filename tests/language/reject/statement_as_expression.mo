model M
  Real x = assert(true, "a");
end M;
// expect error: 2:12 'assert' has no value: it is an equation or a statement of its own
