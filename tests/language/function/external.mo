function f
  input Real x;
  output Real y;
external "C";
end f;
model M
  Real y = f(1);
end M;
// expect error: 7:12 'f' is an external function, which is not supported
// expect note: 1:10 it is declared here
