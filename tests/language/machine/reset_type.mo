block A
  Real x = 1;
end A;
model M
  A a, b;
equation
  initialState(a);
  transition(a, b, time > 1, reset = 1);
end M;
// expect error: 8:38 'reset' of a transition must be Boolean, but this is Integer
