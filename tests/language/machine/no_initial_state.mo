model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  transition(a, b, time > 1);
end M;
// expect error: 8:3 the state machine with state 'a' has no initial state; add 'initialState(...)'
