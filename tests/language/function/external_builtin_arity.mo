function mysin
  input Real u;
  output Real y;
external "builtin" y = sin(u);
end mysin;
model M
  Real x = mysin(1, 2);
end M;
// expect error: 7:12 function 'mysin' is called with wrong arguments
