model Simple
  parameter Real a = 1;
end Simple;
model Rich
  extends Simple;
  parameter Real b = 2;
end Rich;
model Body
  outer Simple world;
  Real x = world.b;
end Body;
model M
  inner Rich world;
  Body b;
end M;
// expect error: 10:18 'Simple' has no component 'b'
