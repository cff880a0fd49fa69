model M
  constant Real c;
  Real x = c;
end M;
// expect error: 3:12 the constant 'c' has no value
// expect note: 2:17 it is declared here
