model Falling
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
end Falling;
model Resting
  Real h = 0;
end Resting;
model M
  Falling falling;
  Resting resting;
  Real h = if activeState(falling) then falling.h else resting.h;
equation
  initialState(falling);
  transition(falling, resting, falling.h < 0);
  transition(resting, falling, timeInState() > 2);
  when activeState(resting) then
    reinit(falling.v, 0);
  end when;
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' falling;
//   '(state)' resting;
//   Real 'falling.h'(start = 1.0, fixed = true);
//   Real 'falling.v'(start = 0.0, fixed = true);
//   Real 'resting.h';
//   Real h;
// equation
//   initialState(falling);
//   transition(falling, resting, 'falling.h' < 0.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   transition(resting, falling, timeInState() > 2.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(falling) then
//     der('falling.h') = 'falling.v';
//     der('falling.v') = -9.81;
//   end if;
//   if activeState(resting) then
//     'resting.h' = 0.0;
//   end if;
//   h = if activeState(falling) then 'falling.h' else 'resting.h';
//   when activeState(resting) then
//     reinit('falling.v', 0.0);
//   end when;
// end M;
