connector RealInput = input Real;
block Sink
  RealInput u;
  Real x = u;
end Sink;
model M
  Sink a;
equation
  connect(2*time, a.u);
end M;
// expect error: 9:11 expected the name of a connector, found number 2
