block A
  Real x = 1;
end A;
model M
  A a;
  Boolean b = activeState(a);
end M;
// expect error: 6:27 'a' is not a state: no 'initialState' or 'transition' names it
