model S
  Real x;
end S;
model T
  Real x = 1;
end T;
model M
  S a;
  T b;
equation
  initialState(a);
  transition(a, b, time > 1);
end M;
// expect error: 8:5 state 'a' is not balanced: it has 1 unknown and 0 equations; 1 equation is missing
// expect note: 2:8 'a.x' occurs in no equation
