partial model M
  Real x;
end M;
// model: M
// expect error: 1:15 'M' is partial and cannot be simulated
