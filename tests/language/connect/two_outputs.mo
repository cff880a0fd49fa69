connector RealInput = input Real;
connector RealOutput = output Real;
block S
  RealOutput y = time;
end S;
block G
  RealInput u;
end G;
model M
  S a;
  S b;
  G g;
equation
  connect(a.y, g.u);
  connect(b.y, g.u);
end M;
// expect error: 15:3 two outputs are connected: 'a.y' and 'b.y'
// expect note: 14:3 the first one is connected here
