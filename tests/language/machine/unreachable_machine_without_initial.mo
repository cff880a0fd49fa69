block A
  Real x = 1;
end A;
model M
  A a, b, c, d;
equation
  initialState(a);
  transition(a, b, time > 1);
  transition(c, d, time > 1);
end M;
// expect error: 9:3 the state machine with state 'c' has no initial state; add 'initialState(...)'
