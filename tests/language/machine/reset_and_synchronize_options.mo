block A
  outer output Real x;
equation
  der(x) = 1;
end A;
block B
  outer output Real x;
equation
  der(x) = -1;
end B;
model M
  inner Real x(start = 0, fixed = true);
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, x > 1, immediate = false, reset = false, synchronize = false, priority = 2);
  transition(b, a, x < 0, reset = true, priority = 1);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   '(state)' b;
//   Real x(start = 0.0, fixed = true);
// equation
//   initialState(a);
//   transition(a, b, x > 1.0, immediate = false, reset = false, synchronize = false, priority = 2);
//   transition(b, a, x < 0.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(a) then
//     der(x) = 1.0;
//   end if;
//   if activeState(b) then
//     der(x) = -1.0;
//   end if;
// end M;
