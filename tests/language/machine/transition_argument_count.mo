block A
  Real x = 1;
end A;
model M
  A a, b;
equation
  initialState(a);
  transition(a, b);
end M;
// expect error: 8:3 'transition' takes two states, a condition and options
