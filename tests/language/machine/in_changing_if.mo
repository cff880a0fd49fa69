model S
  Real x = time;
end S;
model M
  S a;
  S b;
equation
  initialState(a);
  if time > 1 then
    transition(a, b, time > 2);
  end if;
end M;
// expect error: 10:5 'transition' cannot be used in an 'if' whose condition can change
