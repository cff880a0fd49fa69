model World
  parameter Real g = 9.81;
  annotation(missingInnerMessage = "drag a World into the model");
end World;
model Body
  outer World world;
  Real a = world.g;
end Body;
model M
  Body b, c;
end M;
// expect warning: 6:15 there is no 'inner World world' around 'b.world', which is declared outer: one is added to the model; drag a World into the model
// expect flat:
// model M
//   Real 'b.a';
//   Real 'c.a';
//   parameter Real 'world.g' = 9.81;
// equation
//   'b.a' = 'world.g';
//   'c.a' = 'world.g';
// end M;
