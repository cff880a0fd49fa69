model S
  Real x = time;
end S;
model M
  S a;
  S b;
  S c;
  S d;
equation
  initialState(a);
  initialState(c);
  transition(a, b, time > 1);
  transition(c, d, time > 2);
  transition(d, c, time > 3);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   '(state)' b;
//   '(state)' c;
//   '(state)' d;
//   Real 'a.x';
//   Real 'b.x';
//   Real 'c.x';
//   Real 'd.x';
// equation
//   initialState(a);
//   transition(a, b, time > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   initialState(c);
//   transition(c, d, time > 2.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   transition(d, c, time > 3.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(a) then
//     'a.x' = time;
//   end if;
//   if activeState(b) then
//     'b.x' = time;
//   end if;
//   if activeState(c) then
//     'c.x' = time;
//   end if;
//   if activeState(d) then
//     'd.x' = time;
//   end if;
// end M;
