model M
  constant Integer a = div(1, 0);
  Real x = a;
end M;
// expect error: 3:12 the constant 'a' has no value: division by zero
// expect note: 2:20 it is declared here
