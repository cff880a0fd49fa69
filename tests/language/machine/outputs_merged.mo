connector RealOutput = output Real;
connector RealInput = input Real;
block S
  parameter Real k = 1;
  RealOutput y = k*time;
end S;
block Sink
  RealInput u;
  Real z = 2*u;
end Sink;
model M
  S a;
  S b(k = 2);
  Sink sink;
equation
  initialState(a);
  transition(a, b, time > 1);
  connect(a.y, sink.u);
  connect(b.y, sink.u);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   '(state)' b;
//   parameter Real 'a.k' = 1.0;
//   Real 'a.y';
//   parameter Real 'b.k' = 2.0;
//   Real 'b.y';
//   Real 'sink.u';
//   Real 'sink.z';
// equation
//   initialState(a);
//   transition(a, b, time > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(a) then
//     'a.y' = 'a.k'*time;
//   end if;
//   if activeState(b) then
//     'b.y' = 'b.k'*time;
//   end if;
//   'sink.z' = 2.0*'sink.u';
//   if activeState(a) then
//     'sink.u' = 'a.y';
//   end if;
//   if activeState(b) then
//     'sink.u' = 'b.y';
//   end if;
// end M;
