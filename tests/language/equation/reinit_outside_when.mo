model M
  Real x(start = 1);
equation
  der(x) = 1;
  reinit(x, 2);
end M;
// expect error: 5:3 'reinit' can only be used in 'when'
