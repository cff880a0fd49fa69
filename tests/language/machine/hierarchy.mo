model Leaf
  outer output Integer n;
equation
  n = pre(n) + 1;
end Leaf;
model Middle
  inner outer output Integer n(start = 0);
  Leaf a;
  Leaf b;
equation
  initialState(a);
  transition(a, b, time > 1);
end Middle;
model M
  inner Integer n(start = 0);
  Middle m;
  Leaf l;
equation
  initialState(m);
  transition(m, l, ticksInState() > 3, synchronize = true);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' m;
//   '(state)' l;
//   '(state)' 'm.a';
//   '(state)' 'm.b';
//   Integer n(start = 0);
// equation
//   initialState(m);
//   transition(m, l, ticksInState() > 3, immediate = true, reset = true, synchronize = true, priority = 1);
//   if activeState(m) then
//     initialState('m.a');
//     transition('m.a', 'm.b', time > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   end if;
//   if activeState(m) then
//     if activeState('m.a') then
//       n = pre(n) + 1;
//     end if;
//     if activeState('m.b') then
//       n = pre(n) + 1;
//     end if;
//   end if;
//   if activeState(l) then
//     n = pre(n) + 1;
//   end if;
// end M;
