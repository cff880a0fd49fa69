model World
  parameter Real g = 9.81;
end World;
model Other
  parameter Real f = 1;
end Other;
model Body
  outer World world;
  Real a = world.g;
end Body;
model M
  inner Other world;
  Body b;
end M;
// expect error: 8:15 'b.world' is declared outer as World, but inner as Other: it has no component 'g'
// expect note: 12:15 the inner component is here
