model World
  outer World world;
  parameter Real g = 9.81;
  parameter Real k = world.g;
end World;
model M
  inner World world;
  World w(g = 2);
end M;
// expect flat:
// model M
//   parameter Real 'world.g' = 9.81;
//   parameter Real 'world.k' = 'world.g';
//   parameter Real 'w.g' = 2.0;
//   parameter Real 'w.k' = 'world.g';
// end M;
