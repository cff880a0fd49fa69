model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  initialState(a);
  transition(a, b, time > 1, priority = 0);
end M;
// expect error: 9:41 the priority of a transition must be at least 1
