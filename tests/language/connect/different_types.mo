connector RealOutput = output Real;
connector BooleanInput = input Boolean;
block S
  RealOutput y = time;
end S;
block G
  BooleanInput u;
end G;
model M
  S s;
  G g;
equation
  connect(s.y, g.u);
end M;
// expect error: 13:3 's.y' and 'g.u' cannot be connected: one is Real, the other Boolean
