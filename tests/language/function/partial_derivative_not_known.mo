// A derivative exists only when the model runs.
function f
  input Real x;
  output Real y;
algorithm
  y := x^2;
end f;
function f_x = der(f, x);
model M
  parameter Integer n = integer(f_x(1));
  Real x[n] = fill(time, n);
end M;
// expect error: 11:10 an array size must be known before the run: 'f_x' is a partial derivative, which is not known before the run
// expect note: 10:33 here
