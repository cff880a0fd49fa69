model S
  Real x = time;
end S;
model M
  S a;
  S b;
  S c;
equation
  initialState(a);
  transition(a, b, time > 1);
  transition(a, c, time > 2);
end M;
// expect error: 11:3 two transitions from 'a' have priority 1; the priorities of one state must differ: write, for example, priority = 2
// expect note: 10:3 the other one is here
