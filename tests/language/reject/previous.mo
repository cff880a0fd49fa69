model M
  Real x = previous(1);
end M;
// expect error: 2:12 'previous' is not supported: there are no clocks; in states, whose ticks are events, 'pre' is meant
