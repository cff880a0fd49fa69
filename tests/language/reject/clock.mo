model M
  Clock c = Clock(0.1);
end M;
// expect error: 2:3 clocks are not supported
