// The function of a component, modified by the component's parameters: world.gravity(r).
partial function base
  input Real u;
  output Real y;
end base;
function linear
  extends base;
  input Real k = 1;
algorithm
  y := k*u;
end linear;
model World
  parameter Real g = 9;
  replaceable function gravity = linear(k = 2*g) constrainedby base;
end World;
model Body
  outer World world;
  World own(g = 1);
  Real x = world.gravity(time);
  Real y = own.gravity(time);
end Body;
model M
  inner World world(g = 5);
  Body b;
end M;
// expect flat:
// function 'World.gravity'
//   input Real u;
//   input Real k;
//   output Real y;
// algorithm
//   y := k*u;
// end 'World.gravity';
// model M
//   parameter Real 'world.g' = 5.0;
//   parameter Real 'b.own.g' = 1.0;
//   Real 'b.x';
//   Real 'b.y';
// equation
//   'b.x' = 'World.gravity'(time, 2.0*'world.g');
//   'b.y' = 'World.gravity'(time, 2.0*'b.own.g');
// end M;
