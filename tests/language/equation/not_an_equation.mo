model M
equation
  sin(1);
end M;
// expect error: 3:3 'sin' cannot be used as an equation
