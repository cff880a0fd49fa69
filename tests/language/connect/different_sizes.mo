connector RealInput = input Real;
connector RealOutput = output Real;
block S
  RealOutput y[3] = {1, 2, time};
end S;
block G
  RealInput u[2];
end G;
model M
  S s;
  G g;
equation
  connect(s.y, g.u);
end M;
// expect error: 13:3 connectors of different sizes: 's.y' is [3], 'g.u' is [2]
