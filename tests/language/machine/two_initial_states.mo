model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  initialState(a);
  initialState(b);
  transition(a, b, time > 1);
end M;
// expect error: 9:3 a state machine has two initial states: 'a' and 'b'
// expect note: 8:3 the first one is here
