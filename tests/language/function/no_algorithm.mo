function f
  input Real x;
  output Real y;
end f;
model M
  Real y = f(time);
end M;
// expect error: 3:15 output 'y' of function 'f' is never assigned
