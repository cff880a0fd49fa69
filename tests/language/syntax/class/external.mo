function a external; end a;
function b external "C"; end b;
function c external "FORTRAN 77" annotation(Library = "lapack"); end c;
function d external "C" d_in_c(); end d;
function e
  input Real x[:];
  output Real y;
  external "C" y = e_in_c(x, size(x, 1), 2 + 3) annotation(Include = "#include <e.h>");
  annotation(derivative = de);
end e;
function f external r.x[2] = g(); end f;
function g external "builtin" annotation(x); annotation(y); end g;
