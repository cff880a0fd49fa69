block A
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end A;
model M
  A a;
equation
  initialState(a);
  transition(a, a, a.x > 1);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   Real 'a.x'(start = 0.0, fixed = true);
// equation
//   initialState(a);
//   transition(a, a, 'a.x' > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(a) then
//     der('a.x') = 1.0;
//   end if;
// end M;
