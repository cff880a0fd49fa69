model S
  Real x = time;
end S;
model M
  S a;
equation
  when time > 1 then
    initialState(a);
  end when;
end M;
// expect error: 8:5 'initialState' cannot be used in 'when'
