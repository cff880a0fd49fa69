model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  initialState(a);
  transition(a, b, 1);
end M;
// expect error: 9:20 a condition must be Boolean, but this is Integer
