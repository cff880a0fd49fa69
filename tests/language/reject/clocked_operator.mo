model M
  Real x = hold(previous(1));
end M;
// expect error: 2:12 'hold' is not supported: there are no clocks
