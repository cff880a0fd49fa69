model S
  Real x = time;
end S;
model M
  parameter Integer n = 3;
  parameter Boolean back = true;
  S s[n];
equation
  initialState(s[1]);
  for i in 1:n - 1 loop
    transition(s[i], s[i + 1], time > i);
  end for;
  if back then
    transition(s[n], s[1], time > 10);
  end if;
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' 's[1]';
//   '(state)' 's[2]';
//   '(state)' 's[3]';
//   parameter Integer n = 3;
//   parameter Boolean back = true;
//   Real 's[1].x';
//   Real 's[2].x';
//   Real 's[3].x';
// equation
//   initialState('s[1]');
//   transition('s[1]', 's[2]', time > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   transition('s[2]', 's[3]', time > 2.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   transition('s[3]', 's[1]', time > 10.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState('s[1]') then
//     's[1].x' = time;
//   end if;
//   if activeState('s[2]') then
//     's[2].x' = time;
//   end if;
//   if activeState('s[3]') then
//     's[3].x' = time;
//   end if;
// end M;
