model M
  input Real u;
  output Real y;
equation
  y = 2 * u;
  u = 3;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 1 unknown and 2 equations; 1 equation too many
// expect note: 6:3 'u' is an input, whose value comes from outside: no equation determines it
