connector Pin
  Real v;
  flow Real i;
end Pin;
model R
  parameter Real r = 1;
  Pin p;
equation
  p.v = r*p.i;
end R;
model Source
  Pin p;
equation
  p.v = 5;
end Source;
model M
  R a;
  R b(r = 10);
  Source s;
equation
  initialState(a);
  transition(a, b, time > 1);
  connect(a.p, s.p);
  connect(b.p, s.p);
end M;
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   '(state)' b;
//   parameter Real 'a.r' = 1.0;
//   Real 'a.p.v';
//   Real 'a.p.i';
//   parameter Real 'b.r' = 10.0;
//   Real 'b.p.v';
//   Real 'b.p.i';
//   Real 's.p.v';
//   Real 's.p.i';
// equation
//   initialState(a);
//   transition(a, b, time > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   if activeState(a) then
//     'a.p.v' = 'a.r'*'a.p.i';
//   end if;
//   if activeState(b) then
//     'b.p.v' = 'b.r'*'b.p.i';
//   end if;
//   's.p.v' = 5.0;
//   if activeState(a) then
//     's.p.v' = 'a.p.v';
//   end if;
//   if activeState(b) then
//     's.p.v' = 'b.p.v';
//   end if;
//   (if activeState(a) then 'a.p.i' else 0.0) + 's.p.i' + (if activeState(b) then 'b.p.i' else 0.0) = 0.0;
// end M;
