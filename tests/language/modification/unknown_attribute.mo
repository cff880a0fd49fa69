model M
  Real x(strat = 1) = 2;
end M;
// expect error: 2:10 type 'Real' has no attribute 'strat'; did you mean 'start'?
