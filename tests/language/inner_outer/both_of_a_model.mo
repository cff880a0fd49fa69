model World
  parameter Real g = 9.81;
end World;
model Body
  outer World world;
  Real a = world.g;
end Body;
model Moon
  inner outer World world(g = world.g/6);
  Body b;
end Moon;
model M
  inner World world;
  Moon m;
  Body b;
end M;
// expect flat:
// model M
//   parameter Real 'world.g' = 9.81;
//   Real 'm.b.a';
//   parameter Real 'm.world.g' = 'world.g'/6.0;
//   Real 'b.a';
// equation
//   'm.b.a' = 'm.world.g';
//   'b.a' = 'world.g';
// end M;
