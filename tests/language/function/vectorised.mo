function f
  input Real x;
  input Real a = 1;
  output Real y;
algorithm
  y := a*x;
end f;
model M
  Real v[2] = {time, 2};
  Real w[2] = f(v);
  Real u[2] = f(v, {3, 4});
  Real m[2, 2] = f([1, 2; 3, time], 5);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real a = 1.0;
//   output Real y;
// algorithm
//   y := a*x;
// end f;
// model M
//   Real 'v[1]';
//   Real 'v[2]';
//   Real 'w[1]';
//   Real 'w[2]';
//   Real 'u[1]';
//   Real 'u[2]';
//   Real 'm[1,1]';
//   Real 'm[1,2]';
//   Real 'm[2,1]';
//   Real 'm[2,2]';
// equation
//   'v[1]' = time;
//   'v[2]' = 2.0;
//   'w[1]' = f('v[1]', 1.0);
//   'w[2]' = f('v[2]', 1.0);
//   'u[1]' = f('v[1]', 3.0);
//   'u[2]' = f('v[2]', 4.0);
//   'm[1,1]' = f(1.0, 5.0);
//   'm[1,2]' = f(2.0, 5.0);
//   'm[2,1]' = f(3.0, 5.0);
//   'm[2,2]' = f(time, 5.0);
// end M;
