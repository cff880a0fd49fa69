function f
  input Real x;
  output Real y;
external "C";
end f;
model M
  Real y = f(1);
end M;
// expect error: 7:12 'f' is an external function: 'f' is none of those that Saltus has, and foreign code is not run without --allow-external
// expect note: 4:1 it is called here
