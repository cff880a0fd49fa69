model M
  Real x = 1;
equation
  initialState(x);
end M;
// expect error: 4:16 'x' cannot be a state: a state is one component of a model or block class
