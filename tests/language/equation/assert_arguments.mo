model M
equation
  assert(true);
end M;
// expect error: 3:3 'assert' takes a condition, a message and a level
