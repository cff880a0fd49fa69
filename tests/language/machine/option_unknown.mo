model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  initialState(a);
  transition(a, b, time > 1, imediate = true);
end M;
// expect error: 9:30 'transition' has no argument 'imediate'
