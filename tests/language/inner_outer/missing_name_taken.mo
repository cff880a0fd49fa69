model World
  parameter Real g = 9.81;
end World;
model Body
  outer World world;
  Real a = world.g;
end Body;
model M
  Body b;
  Real world = time;
end M;
// expect error: 5:15 there is no 'inner World world' around 'b.world', which is declared outer
