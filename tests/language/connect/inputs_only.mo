connector RealInput = input Real;
block Sink
  RealInput u;
  Real x = u;
end Sink;
model M
  Sink a, b;
equation
  connect(a.u, b.u);
end M;
// expect error: 6:7 model 'M' is not balanced: it has 4 unknowns and 3 equations; 1 equation is missing
