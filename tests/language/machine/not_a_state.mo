model S
  Real x = time;
end S;
model M
  S a;
  S b;
  Boolean y = activeState(b);
equation
  initialState(a);
end M;
// expect error: 7:27 'b' is not a state: no 'initialState' or 'transition' names it
