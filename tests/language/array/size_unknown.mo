model M
  Real x[:];
end M;
// expect error: 2:10 the size of 'x' is not known: ':' takes it from a binding, and there is none
