model M
  Boolean b = -true;
end M;
// expect error: 2:15 '-' cannot be applied to Boolean
