// The modification of a function in a model may use the model's parameters: the value goes to each
// call (section 7.3 with 12.4.1).
function base
  input Real u;
  output Real y;
end base;
function linear
  extends base;
  input Real k = 1;
algorithm
  y := k*u;
end linear;
model Pump
  replaceable function f = base;
  Real x = f(time);
end Pump;
model Pair
  parameter Real g = 2;
  Pump p(redeclare function f = linear(k = g));
end Pair;
model M
  Pair a(g = 3);
  Pair b;
end M;
// expect flat:
// function 'Pair.f'
//   input Real u;
//   input Real k;
//   output Real y;
// algorithm
//   y := k*u;
// end 'Pair.f';
// model M
//   parameter Real 'a.g' = 3.0;
//   Real 'a.p.x';
//   parameter Real 'b.g' = 2.0;
//   Real 'b.p.x';
// equation
//   'a.p.x' = 'Pair.f'(time, 'a.g');
//   'b.p.x' = 'Pair.f'(time, 'b.g');
// end M;
