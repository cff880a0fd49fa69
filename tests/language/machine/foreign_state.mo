model S
  Real x = time;
end S;
model A
  S s;
end A;
model M
  A a;
equation
  initialState(a.s);
end M;
// expect error: 10:16 'a.s' cannot be a state here: it is not a component of this class
