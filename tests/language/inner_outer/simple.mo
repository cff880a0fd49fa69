model World
  parameter Real g = 9.81;
end World;
model Body
  outer World world;
  Real a = world.g;
end Body;
model M
  inner World world(g = 1.6);
  Body b;
end M;
// expect flat:
// model M
//   parameter Real 'world.g' = 1.6;
//   Real 'b.a';
// equation
//   'b.a' = 'world.g';
// end M;
