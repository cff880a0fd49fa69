partial function f
  input Real x;
  output Real y;
end f;
model M
  Real y = f(1);
end M;
// expect error: 6:12 'f' is partial and cannot be called
// expect note: 1:18 it is declared here
