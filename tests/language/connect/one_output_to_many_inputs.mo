connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y = time;
end Source;
block Sink
  RealInput u;
  Real x = 2*u;
end Sink;
model M
  Source s;
  Sink a, b[2];
equation
  connect(s.y, a.u);
  for i in 1:2 loop
    connect(s.y, b[i].u);
  end for;
end M;
// expect flat:
// model M
//   Real 's.y';
//   Real 'a.u';
//   Real 'a.x';
//   Real 'b[1].u';
//   Real 'b[1].x';
//   Real 'b[2].u';
//   Real 'b[2].x';
// equation
//   's.y' = time;
//   'a.x' = 2.0*'a.u';
//   'b[1].x' = 2.0*'b[1].u';
//   'b[2].x' = 2.0*'b[2].u';
//   's.y' = 'a.u';
//   's.y' = 'b[1].u';
//   's.y' = 'b[2].u';
// end M;
