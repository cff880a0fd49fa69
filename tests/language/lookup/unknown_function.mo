model M
  Real x = sim(time);
end M;
// expect error: 2:12 there is no function 'sim' in 'M'; did you mean 'sin'?
