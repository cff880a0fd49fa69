model M
  redeclare Real x = 1;
end M;
// expect error: 2:18 there is no inherited 'x' to redeclare
