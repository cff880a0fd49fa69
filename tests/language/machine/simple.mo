model Up
  outer output Real x;
equation
  der(x) = 1;
end Up;
model Down
  outer output Real x;
equation
  der(x) = -1;
end Down;
model M
  inner Real x(start = 0, fixed = true);
  Up up;
  Down down;
equation
  initialState(up);
  transition(up, down, x > 1);
  transition(down, up, x < 0, immediate = false, reset = false, priority = 2);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' up;
//   '(state)' down;
//   Real x(start = 0.0, fixed = true);
// equation
//   initialState(up);
//   transition(up, down, x > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   transition(down, up, x < 0.0, immediate = false, reset = false, synchronize = false, priority = 2);
//   if activeState(up) then
//     der(x) = 1.0;
//   end if;
//   if activeState(down) then
//     der(x) = -1.0;
//   end if;
// end M;
