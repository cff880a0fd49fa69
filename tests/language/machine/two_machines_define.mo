model State
  outer output Real v;
equation
  v = 1;
end State;
model M
  inner Real v(start = 0);
  State a1, a2;
  State b1;
equation
  initialState(a1);
  transition(a1, a2, time > 1);
  initialState(b1);
end M;
// expect error: 7:14 'v' is defined by two state machines at once: by state 'a1' and by state 'b1'
