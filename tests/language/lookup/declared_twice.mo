model M
  Real x = 1;
  Real x = 2;
end M;
// expect error: 3:8 'x' is declared twice in 'M'
// expect note: 2:8 the first one is here
